import { visible } from './visible.ts';

/** Characters that file names cannot contain, and replacements of hidden characters. */
// oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for
const unsafe = /[\u0000-\u001F\u007F<>:"/\\|?*]|⟨U\+[0-9A-F]{4,6}⟩/g;
/** Names of devices on Windows, with any extension. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(?:\.|$)/i;
/** File systems take 255 bytes, and a download has an ending of its own until it is whole. */
const mostBytes = 200;
const longestName = 100;

/** A remote name as one under which a file may be offered to be saved: never a path, a device, hidden or empty. */
export function safeFileName(name: string, otherwise: string): string {
	const near = name.length > 1000 ? `${name.slice(0, 500)}${name.slice(-500)}` : name;
	const safe = visible(near).replaceAll(unsafe, '_').replaceAll(/\s+/gu, ' ');
	const plain = safe.replace(/^[. ]+/, '').replace(/[. ]+$/, '');
	const short =
		plain.length > longestName || bytesOf(plain) > mostBytes ? `${headOf(plain)}…${headOf(plain, 'reversed')}` : plain;
	const named = short === '' ? otherwise : short.toWellFormed();
	return device.test(named) ? `_${named}` : named;
}

function bytesOf(text: string): number {
	return new TextEncoder().encode(text).length;
}

/** The first characters of a name, or the last ones, that take almost half of the room. */
function headOf(name: string, order?: 'reversed'): string {
	const kept: string[] = [];
	let bytes = 0;
	const characters = Array.from(name);
	for (const character of order === 'reversed' ? characters.toReversed() : characters) {
		bytes += bytesOf(character);
		if (bytes > mostBytes / 2 - 2 || kept.length >= longestName / 2) {
			break;
		}
		kept.push(character);
	}
	return (order === 'reversed' ? kept.toReversed() : kept).join('');
}
