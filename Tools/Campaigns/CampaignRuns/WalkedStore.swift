/// The commands that make a store with something of everything, each without its `--store`: a walk,
/// a profile, a health total and a correction.
package let walkedStore = [
    ["record", "--simulate", "--for", "2s"],
    ["profile", "set", "height=180cm", "weight=75kg", "daily-goal=8000"],
    ["health", "8123", "--day", "2026-03-01"],
    ["steps", "correct", "--day", "2026-03-01", "--by", "-5", "--reason", "shaken"],
]
