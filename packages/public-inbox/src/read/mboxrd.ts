import { Buffer } from 'node:buffer';

/**
 * Archives put this line before each mail, and a line feed behind it. A reader of other mailboxes has to accept other
 * lines; here, any other line is a line of a mail.
 */
const separator = Buffer.from('\nFrom mboxrd@z ');
const lineFeed = 0x0a;

/** Splits the mailbox of an archive while it arrives. Each mail comes out as its archive stores it. */
export class MboxSplitter {
	/** Behind the last cut; may hold the start of a separator. Each mailbox begins a line. */
	#held: Uint8Array = Buffer.from('\n');
	#parts: Uint8Array[] = [];
	#where: 'above' | 'separator' | 'mail' = 'above';

	/** The mails that end in this chunk. */
	add(chunk: Uint8Array): readonly Uint8Array[] {
		const bytes = Buffer.concat([this.#held, chunk]);
		const mails: Uint8Array[] = [];
		let from = 0;
		for (;;) {
			if (this.#where === 'separator') {
				const end = bytes.indexOf(lineFeed, from);
				if (end === -1) {
					from = bytes.byteLength;
					break;
				}
				// The line feed stays: a mail without a head is followed by the next separator at once.
				from = end;
				this.#where = 'mail';
				this.#parts = [];
			}
			const next = bytes.indexOf(separator, from);
			if (next === -1) {
				break;
			}
			if (this.#where === 'mail') {
				this.#parts.push(bytes.subarray(from, next));
				mails.push(this.#taken());
			}
			from = next + separator.byteLength;
			this.#where = 'separator';
		}
		const kept = Math.max(from, bytes.byteLength - separator.byteLength + 1);
		if (this.#where === 'mail' && kept > from) {
			this.#parts.push(bytes.subarray(from, kept));
		}
		this.#held = bytes.subarray(this.#where === 'separator' ? bytes.byteLength : kept);
		return mails;
	}

	/** The last mail, after the last chunk. */
	end(): readonly Uint8Array[] {
		if (this.#where !== 'mail') {
			return [];
		}
		const rest = this.#held;
		this.#parts.push(rest.at(-1) === lineFeed ? rest.subarray(0, -1) : rest);
		this.#where = 'above';
		return [this.#taken()];
	}

	#taken(): Uint8Array {
		const mail = Buffer.concat(this.#parts).subarray(1);
		this.#parts = [];
		return unquoted(mail);
	}
}

const quoted = /\n>(>*From )/g;

/** Removes one `>` of each line that mboxrd quotes. Archives quote lines of the body only. */
function unquoted(mail: Buffer): Uint8Array {
	// An empty line ends the head. The ends of both lines may differ.
	const [plain, mixed] = [mail.indexOf('\n\n'), mail.indexOf('\n\r\n')];
	const body = plain === -1 || mixed === -1 ? Math.max(plain, mixed) : Math.min(plain, mixed);
	if (body === -1 || mail.indexOf('\n>', body) === -1 || mail.indexOf('From ', body) === -1) {
		return mail;
	}
	const restored = mail.toString('latin1', body).replace(quoted, '\n$1');
	return Buffer.concat([mail.subarray(0, body), Buffer.from(restored, 'latin1')]);
}
