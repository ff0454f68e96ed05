/** A value as it has to be written after `key:`; quoted only where it must be. */
export function quoteValue(value: string): string {
	return value === '' || /[\s"'\\]/.test(value) ? inQuotes(value) : value;
}

function inQuotes(text: string): string {
	return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
