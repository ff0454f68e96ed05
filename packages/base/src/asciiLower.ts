/** Lower-cases A to Z only. `toLowerCase` maps the Kelvin sign (U+212A) to k. */
export function asciiLower(text: string): string {
	return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
