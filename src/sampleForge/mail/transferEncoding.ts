export type TransferEncoding = '7bit' | '8bit' | 'quoted-printable' | 'base64';

/** Decodes a body; leaves unknown encodings unchanged. */
export function decodeTransfer(body: Uint8Array, encoding: string): Uint8Array {
	switch (encoding.trim().toLowerCase()) {
		case 'base64': {
			return Buffer.from(Buffer.from(body).toString('latin1'), 'base64');
		}
		case 'quoted-printable': {
			return decodeQuotedPrintable(Buffer.from(body).toString('latin1'));
		}
		default: {
			return body;
		}
	}
}

function decodeQuotedPrintable(text: string): Uint8Array {
	const joined = text.replaceAll(/[ \t]+(?=\r?\n)/g, '').replaceAll(/=\r?\n/g, '');
	const plain = joined.replaceAll(/=([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
	return Buffer.from(plain, 'latin1');
}

/** A body with LF line ends, encoded for sending, with CRLF line ends. */
export function encodeTransfer(body: Buffer, encoding: TransferEncoding): Buffer {
	switch (encoding) {
		case '7bit':
		case '8bit': {
			return Buffer.from(body.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
		}
		case 'base64': {
			const lines = body.toString('base64').match(/.{1,76}/g) ?? [];
			return Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1');
		}
		case 'quoted-printable': {
			const lines = body.toString('latin1').split('\n').map(quotedPrintableLine);
			return Buffer.from(lines.join('\r\n'), 'latin1');
		}
	}
}

const lineLength = 75;

function quotedPrintableLine(line: string): string {
	const lines: string[] = [];
	let current = '';
	for (let at = 0; at < line.length; at++) {
		const letter = line.charAt(at);
		const last = at === line.length - 1;
		const plain = /[!-<>-~]/.test(letter) || (/[ \t]/.test(letter) && !last);
		const next = plain ? letter : `=${letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
		if (current.length + next.length > lineLength) {
			lines.push(`${current}=`);
			current = '';
		}
		current += next;
	}
	return [...lines, current].join('\r\n');
}
