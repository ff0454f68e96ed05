const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Encodes bytes as lines of a binary patch, each with a line end. */
export function encodeBase85(bytes: Uint8Array): string {
	const lines = new Array<string>();
	for (let at = 0; at < bytes.length; at += 52) {
		const part = bytes.subarray(at, at + 52);
		lines.push(`${letters.charAt(part.length - 1)}${groupsOf(part)}\n`);
	}
	return lines.join('');
}

function groupsOf(part: Uint8Array): string {
	let groups = '';
	for (let at = 0; at < part.length; at += 4) {
		let value = 0;
		for (let byte = 0; byte < 4; byte++) {
			value = value * 256 + (part[at + byte] ?? 0);
		}
		let group = '';
		for (let digit = 0; digit < 5; digit++) {
			group = digits.charAt(value % 85) + group;
			value = Math.floor(value / 85);
		}
		groups += group;
	}
	return groups;
}
