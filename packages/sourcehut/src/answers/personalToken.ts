import type { TokenReading } from '../port/forgeProtocol.ts';

/** Generous limits for the grants and the date. */
const [longestToken, latestS] = [4096, 8.64e12];

/** The server's signature follows the claims. */
const signatureBytes = 32;

/**
 * Claims of a GraphQL token (docs/protocol.md#grant-tokens), unverified: only the server knows whether it is still
 * valid. `undefined` for others: trailing bytes or an impossible name reveal the 32 digits of the older generation.
 * Spaces separate `grants`; an empty text means all. A personal token has no `clientId`.
 */
export function readPersonalToken(token: string) {
	if (token.length > longestToken || !/^[A-Za-z0-9+/_-]{60,}$/.test(token)) {
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

/** Reads a token for a GraphQL forge. 32 digits are a token of the older generation (docs/protocol.md#tokens-on-requests). */
export function readGrantToken(
	token: string,
	readGranted: (text: string) => Pick<Extract<TokenReading, { readonly kind: 'told' }>, 'scopes' | 'lacks'>,
): TokenReading {
	const told = readPersonalToken(token);
	if (told === undefined) {
		return /^[0-9a-f]{32}$/i.test(token) ? { kind: 'ofOtherServers', isOlder: true } : { kind: 'untold' };
	}
	const { grants, owner, expiresMs, clientId } = told;
	return { kind: 'told', owner, expiresMs, grants, ...readGranted(grants), isPersonal: clientId === undefined };
}

interface Reading {
	readonly bytes: Buffer;
	at: number;
}

/** Seven bits per byte, lowest first. The highest bit marks a continuation. */
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

/** Eight bytes, little-endian. */
function readSeconds(reading: Reading): number | undefined {
	const { bytes, at } = reading;
	if (at + 8 > bytes.length) {
		return undefined;
	}
	reading.at += 8;
	const seconds = Number(bytes.readBigInt64LE(at));
	return seconds >= 0 && seconds <= latestS ? seconds : undefined;
}

function readText(reading: Reading): string | undefined {
	const length = readNumber(reading);
	if (length === undefined || reading.at + length > reading.bytes.length) {
		return undefined;
	}
	const bytes = reading.bytes.subarray(reading.at, reading.at + length);
	reading.at += length;
	try {
		return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		return undefined;
	}
}
