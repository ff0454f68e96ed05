const lineOfBreak = /(?:diff -|Index: |---(?: [^ \t\r\n]|[ \t\r]*(?:\n|$)))/y;

/** Whether the line at `at` ends the commit message and begins the patch, by the rule of `git mailinfo`. */
export function isPatchBreak(text: string, at: number): boolean {
	lineOfBreak.lastIndex = at;
	return lineOfBreak.test(text);
}
