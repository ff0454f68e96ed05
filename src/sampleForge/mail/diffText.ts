const gitHeader =
	/^diff --git \S.*\n(?:(?:index|old mode|new file mode|deleted file mode|similarity index|rename from) )/m;
const plainHeader = /^--- \S.*\n\+\+\+ \S.*\n@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m;

/** Whether a mail's text (line ends LF) holds a diff that starts at the left margin, so that quoted ones do not count. */
export function holdsDiff(text: string): boolean {
	return gitHeader.test(text) || plainHeader.test(text);
}
