/** A small picture as PNG, its bytes the same on every machine (nothing in it goes through a compressor). */
export function drawLantern(size: number): Uint8Array {
	const rows = Buffer.alloc(size * (1 + size * 3));
	for (let y = 0; y < size; y++) {
		for (let x = 0; x < size; x++) {
			const distance = Math.hypot(x - size / 2, y - size / 2) / (size / 2);
			const light = Math.max(0, Math.round(255 * (1 - distance * distance)));
			rows.set([light, Math.round(light * 0.8), Math.round(40 + light * 0.2)], y * (1 + size * 3) + 1 + x * 3);
		}
	}
	const head = Buffer.alloc(13);
	head.writeUInt32BE(size, 0);
	head.writeUInt32BE(size, 4);
	head.set([8, 2, 0, 0, 0], 8);
	const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
	return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', stored(rows)), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
	const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const frame = Buffer.alloc(8);
	frame.writeUInt32BE(data.length, 0);
	frame.writeUInt32BE(crc(body), 4);
	return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A zlib stream of one stored block; `data` has at most 65,535 bytes. */
function stored(data: Buffer): Buffer {
	const head = Buffer.from([0x78, 0x01, 0x01, 0, 0, 0, 0]);
	head.writeUInt16LE(data.length, 3);
	head.writeUInt16LE(data.length ^ 0xff_ff, 5);
	let low = 1;
	let high = 0;
	for (const byte of data) {
		low = (low + byte) % 65_521;
		high = (high + low) % 65_521;
	}
	const sum = Buffer.alloc(4);
	sum.writeUInt16BE(high, 0);
	sum.writeUInt16BE(low, 2);
	return Buffer.concat([head, data, sum]);
}

function crc(bytes: Buffer): number {
	let rest = 0xff_ff_ff_ff;
	for (const byte of bytes) {
		rest ^= byte;
		for (let bit = 0; bit < 8; bit++) {
			rest = (rest & 1) === 0 ? rest >>> 1 : (rest >>> 1) ^ 0xed_b8_83_20;
		}
	}
	return (rest ^ 0xff_ff_ff_ff) >>> 0;
}
