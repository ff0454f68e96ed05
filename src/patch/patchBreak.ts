const lineOfBreak = /(?:diff -|Index: |---(?: [^ \t\r\n]|[ \t\r]*(?:\n|$)))/y;

/** Whether the line that begins at `at` ends a commit's message and begins its patch, as `git mailinfo` looks for it. */
export function isPatchBreak(text: string, at: number): boolean {
	lineOfBreak.lastIndex = at;
	return lineOfBreak.test(text);
}
