const signedText = '-----BEGIN PGP SIGNED MESSAGE-----';
const block = /^-----BEGIN PGP ([A-Z ]{3,40})-----\s*$/;
const armorHead = /^(?:Hash|NotDashEscaped|Charset|Comment|Version|MessageID):/;
const base64 = /^[A-Za-z0-9+/=]{0,100}\s*$/;
/** Longer blocks are no signature or key of a reply. */
const longestBlock = 400;

/**
 * The lines of a mail without the armor of PGP (RFC 9580): a signed text without its escapes, `undefined` for
 * signatures and keys. A block without its end, or with other text, stays.
 */
export function withoutArmor(lines: readonly string[]): readonly (string | undefined)[] {
	const found: (string | undefined)[] = [];
	let isSigned = false;
	let end = -1;
	for (const [at, line] of lines.entries()) {
		if (at > end) {
			const isStart = line.startsWith(signedText);
			end = isStart ? headEnd(lines, at) : blockEnd(lines, at);
			isSigned = isStart || (isSigned && end === -1);
		}
		found.push(at <= end ? undefined : isSigned && line.startsWith('- ') ? line.slice(2) : line);
	}
	return found;
}

/** The blank line below the head of a signed text. */
function headEnd(lines: readonly string[], at: number): number {
	let end = at;
	while (armorHead.test(lines[end + 1]?.slice(0, 100) ?? '')) {
		end += 1;
	}
	return lines[end + 1]?.trim() === '' ? end + 1 : end;
}

/** The last line of the block that starts here; -1 without one. */
function blockEnd(lines: readonly string[], at: number): number {
	const [, kind] = block.exec(lines[at]!.slice(0, 100)) ?? [];
	if (kind === undefined) {
		return -1;
	}
	let end = at + 1;
	while (
		end < at + longestBlock &&
		(armorHead.test(lines[end]?.slice(0, 100) ?? '') || base64.test(lines[end] ?? '-'))
	) {
		end += 1;
	}
	return lines[end]?.startsWith(`-----END PGP ${kind}-----`) === true ? end : -1;
}
