"""toyrl, a small third one."""
