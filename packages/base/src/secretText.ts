/** Injectable randomness for tests. */
export type RandomBytes = (size: number) => Uint8Array;

/** A 256-bit secret as 43 URL-safe characters: some editors turn a plus sign in a URL into a space. */
export function secretText(random: RandomBytes): string {
	return Buffer.from(random(32)).toString('base64url');
}
