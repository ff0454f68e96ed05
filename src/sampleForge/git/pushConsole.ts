/**
 * Adds lines that `git push` prints with "remote:" to the answer of a receive-pack: packets of the second band, put
 * before the packet that ends the answer. An answer without bands stays as it is.
 */
export function printToPusher(answer: Buffer, text: string): Buffer {
	const end = endPacket(answer);
	if (end === undefined || text === '') {
		return answer;
	}
	const message = Buffer.from(text.endsWith('\n') ? text : `${text}\n`);
	const packets: Buffer[] = [];
	for (let at = 0; at < message.length; at += mostPerPacket) {
		const part = message.subarray(at, at + mostPerPacket);
		packets.push(Buffer.from((part.length + 5).toString(16).padStart(4, '0')), Buffer.from([2]), part);
	}
	return Buffer.concat([answer.subarray(0, end), ...packets, answer.subarray(end)]);
}

const mostPerPacket = 60_000;

/** Where the last flush packet begins; undefined when the answer is not made of band packets. */
function endPacket(answer: Buffer): number | undefined {
	let at = 0;
	while (at + 4 <= answer.length) {
		const length = Number.parseInt(answer.toString('latin1', at, at + 4), 16);
		if (length === 0) {
			return at;
		}
		const band = answer[at + 4] ?? 0;
		if (Number.isNaN(length) || length < 5 || band < 1 || band > 3) {
			return undefined;
		}
		at += length;
	}
	return undefined;
}
