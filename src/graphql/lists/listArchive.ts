import { homeFile, type StreamOptions } from '../../answers/streamedFile.ts';
import type { ListApi } from '../../forge/forge.ts';
import type { ArchivePiece } from '../../forge/list.ts';
import { ForgeError } from '../../forge/forgeError.ts';
import type { ListIds } from './listIds.ts';
import { mailsOfMailbox } from './mailboxFile.ts';
import { mailText } from './mailText.ts';

/** Chunk size for splitting into mails. A longer mail waits for its end. */
const usualBytes = 1024 * 1024;

/** Streams all mails of a list from its mailbox (docs/protocol.md#graphql-mailboxes). */
export function listArchive(ids: ListIds, streaming: StreamOptions): ListApi['archive'] & {} {
	return async function* (ref, { sinceDays, mostBytes }, signal) {
		const id = await ids.of(ref, signal);
		const path = `/query/list/${id}.mbox${sinceDays === undefined ? '' : `?since=${sinceDays}`}`;
		const file = homeFile(
			streaming,
			{ wish: { area: 'lists', scope: 'emails:read' }, path, limitBytes: mostBytes },
			signal,
		);
		try {
			yield* piecesOf(file);
		} catch (error) {
			if (error instanceof ForgeError && error.problem.kind === 'notFound') {
				// Another list may have the name by now.
				ids.forget(ref);
			}
			throw error;
		}
	};
}

/** Splits a mailbox while it downloads. Mails stay whole across chunks. */
export async function* piecesOf(
	chunks: AsyncIterable<Uint8Array>,
	pieceBytes = usualBytes,
): AsyncGenerator<ArchivePiece, void, undefined> {
	let waiting: Uint8Array[] = [];
	let waitingBytes = 0;
	let wanted = pieceBytes;
	let bytes = 0;
	for await (const chunk of chunks) {
		waiting.push(chunk);
		waitingBytes += chunk.byteLength;
		bytes += chunk.byteLength;
		if (waitingBytes < wanted) {
			continue;
		}
		const all = joined(waiting, waitingBytes);
		const end = lastMailIn(all);
		yield { bytes, mails: mailsIn(all.subarray(0, end)) };
		waiting = [all.subarray(end)];
		waitingBytes = all.byteLength - end;
		// For a long mail, search again only after the buffer doubled. A search per chunk would be quadratic.
		wanted = Math.max(pieceBytes, 2 * waitingBytes);
	}
	yield { bytes, mails: mailsIn(joined(waiting, waitingBytes)) };
}

function mailsIn(mailbox: Uint8Array): readonly string[] {
	return mailsOfMailbox(mailText(mailbox)).map(({ envelope }) => envelope);
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
	const all = new Uint8Array(length);
	let at = 0;
	for (const chunk of chunks) {
		all.set(chunk, at);
		at += chunk.byteLength;
	}
	return all;
}

const separator = new TextEncoder().encode('\nFrom ');
const lineFeed = 10;
const carriageReturn = 13;

/** Start of the last mail, whose end is still unknown; 0 if it is the only one. */
function lastMailIn(mailbox: Uint8Array): number {
	for (let at = mailbox.byteLength - separator.byteLength - 1; at > 0; at -= 1) {
		const before = mailbox[at - 1];
		const isAfterEmptyLine = before === lineFeed || (before === carriageReturn && mailbox[at - 2] === lineFeed);
		if (isAfterEmptyLine && separator.every((byte, place) => mailbox[at + place] === byte) && isBegun(mailbox, at)) {
			return at + 1;
		}
	}
	return 0;
}

/** `From : somebody` is an old header syntax. */
function isBegun(mailbox: Uint8Array, at: number): boolean {
	const next = mailbox[at + separator.byteLength] ?? 0;
	return !/[\s:]/.test(String.fromCharCode(next));
}
