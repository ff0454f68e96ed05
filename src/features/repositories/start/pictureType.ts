/** More pixels would only fill the memory. */
const mostPixels = 25_000_000;

/**
 * Media type of a safe picture, from its bytes only, never from its name; `undefined` for everything else and for
 * pictures that decompress to a huge size.
 */
export function pictureType(bytes: Uint8Array): string | undefined {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const found = bytes.byteLength < 32 ? undefined : (png(view) ?? gif(view) ?? webp(view) ?? jpeg(view));
	return found && found.width * found.height <= mostPixels ? found.type : undefined;
}

interface Found {
	readonly type: string;
	readonly width: number;
	readonly height: number;
}

function png(view: DataView): Found | undefined {
	return view.getUint32(0) === 0x89504e47 && view.getUint32(4) === 0x0d0a1a0a && view.getUint32(12) === 0x49484452
		? { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) }
		: undefined;
}

function gif(view: DataView): Found | undefined {
	return view.getUint32(0) === 0x47494638
		? { type: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) }
		: undefined;
}

function webp(view: DataView): Found | undefined {
	if (view.getUint32(0) !== 0x52494646 || view.getUint32(8) !== 0x57454250) {
		return undefined;
	}
	const type = 'image/webp';
	switch (view.getUint32(12)) {
		// Lossy.
		case 0x56503820:
			return { type, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
		// Lossless: 14 bits each, behind a signature.
		case 0x5650384c: {
			const bits = view.getUint32(21, true);
			return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
		}
		// With more than a picture in it: 24 bits each.
		case 0x56503858:
			return { type, width: (view.getUint32(24, true) & 0xffffff) + 1, height: (view.getUint32(26, true) >>> 8) + 1 };
		default:
			return undefined;
	}
}

/** The first frame has the size; blocks of any length precede it. */
function jpeg(view: DataView): Found | undefined {
	if (view.getUint16(0) !== 0xffd8) {
		return undefined;
	}
	for (let at = 2; at + 9 < view.byteLength;) {
		const marker = view.getUint16(at);
		const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
		if (isFrame) {
			return { type: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
		}
		if (marker < 0xffc0) {
			return undefined;
		}
		at += 2 + view.getUint16(at + 2);
	}
	return undefined;
}
