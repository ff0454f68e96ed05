import { visible } from '../../text/visible.ts';

/** What a name of a file may not hold, and how hidden characters are written out. */
// oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for
const unsafe = /[\u0000-\u001F\u007F<>:"/\\|?*]|⟨U\+[0-9A-F]{4,6}⟩/g;
/** Names that Windows gives to devices, whatever ending follows. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(?:\.|$)/i;
const longestName = 100;

/** The name under which an attachment is offered to be saved: never a path, a device, hidden or empty. */
export function attachmentFileName(name: string | undefined, index: number): string {
	const whole = name ?? '';
	const near = whole.length > 1000 ? `${whole.slice(0, 500)}${whole.slice(-500)}` : whole;
	const safe = visible(near).replaceAll(unsafe, '_').replaceAll(/\s+/gu, ' ');
	const plain = safe.replace(/^[. ]+/, '').replace(/[. ]+$/, '');
	const short =
		plain.length > longestName ? `${plain.slice(0, longestName / 2)}…${plain.slice(-longestName / 2)}` : plain;
	const named = short === '' ? `attachment-${index + 1}` : short.toWellFormed();
	return device.test(named) ? `_${named}` : named;
}
