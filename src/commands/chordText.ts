/** `alt+j shift+m` → `Alt+J Shift+M` */
export function chordText(key: string): string {
	return key.replaceAll(/(^|[+ ])([a-z])/g, (_, before: string, letter: string) => `${before}${letter.toUpperCase()}`);
}
