/** Quotes a value for use after `key:`, if needed. */
export function quoteValue(value: string): string {
	return value === '' || /[\s"'\\]/.test(value) ? inQuotes(value) : value;
}

function inQuotes(text: string): string {
	return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
