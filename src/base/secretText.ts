/** Random bytes as an argument, so that tests can foresee them. */
export type RandomBytes = (size: number) => Uint8Array;

/**
 * A secret of 256 bits, as 43 letters that keep their form in addresses: some editors turn a plus sign of one into a
 * space.
 */
export function secretText(random: RandomBytes): string {
	return Buffer.from(random(32)).toString('base64url');
}
