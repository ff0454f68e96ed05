/** What a personal token says of itself. Nobody has proven it: the server alone knows whether it still counts. */
export interface PersonalToken {
	readonly expiresMs: number;
	/** Parted by blanks; empty where it carries everything. */
	readonly grants: string;
	/** `~alice` */
	readonly owner: string;
	/** Absent for a token that its owner made for themselves. */
	readonly clientId: string | undefined;
}

/** Behind what is said stands the server's signature of it. */
const signatureBytes = 32;

/**
 * Reads a token of the GraphQL generation (docs/protocol.md#grant-tokens); `undefined` for any other one. No bytes left
 * over and no name that nobody could have are what tells it from thirty-two digits of the older generation.
 */
export function readPersonalToken(token: string): PersonalToken | undefined {
	if (!/^[A-Za-z0-9+/_-]{60,}$/.test(token)) {
		return undefined;
	}
	const bytes = Buffer.from(token, 'base64');
	const reading = { bytes: bytes.subarray(0, Math.max(0, bytes.length - signatureBytes)), at: 0 };
	const version = readNumber(reading);
	const expiresS = readSeconds(reading);
	const grants = readText(reading);
	const clientId = readText(reading);
	const name = readText(reading);
	const isWhole = version === 0 && reading.at === reading.bytes.length;
	return isWhole && expiresS !== undefined && grants !== undefined && name !== undefined && /^[\w.-]+$/.test(name)
		? { expiresMs: expiresS * 1000, grants, owner: `~${name}`, clientId: clientId === '' ? undefined : clientId }
		: undefined;
}

interface Reading {
	readonly bytes: Buffer;
	at: number;
}

/** Seven bits in each byte, the lowest first; the highest bit says that more follow. */
function readNumber(reading: Reading): number | undefined {
	let value = 0;
	for (let shift = 0; shift < 28; shift += 7) {
		const byte = reading.bytes[reading.at];
		if (byte === undefined) {
			return undefined;
		}
		reading.at += 1;
		value += (byte & 127) * 2 ** shift;
		if (byte < 128) {
			return value;
		}
	}
	return undefined;
}

/** Eight bytes, the lowest first. */
function readSeconds(reading: Reading): number | undefined {
	const { bytes, at } = reading;
	if (at + 8 > bytes.length) {
		return undefined;
	}
	reading.at += 8;
	const seconds = Number(bytes.readBigInt64LE(at));
	return Number.isSafeInteger(seconds * 1000) ? seconds : undefined;
}

function readText(reading: Reading): string | undefined {
	const length = readNumber(reading);
	if (length === undefined || reading.at + length > reading.bytes.length) {
		return undefined;
	}
	const text = reading.bytes.toString('utf8', reading.at, reading.at + length);
	reading.at += length;
	return text;
}
