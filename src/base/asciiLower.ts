/** Lower case of A to Z alone. `toLowerCase` turns the Kelvin sign, which looks like a K, into a k. */
export function asciiLower(text: string): string {
	return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
