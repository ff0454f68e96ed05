import { listKey, type ListRef } from '../../forge/list.ts';
import { listOf, maybe, text, time, whole } from '../shared/keptFields.ts';
import { fieldsOf } from '../../base/looseJson.ts';
import { headBytes, headLine, headOf, type GroupedTexts } from '../shared/keptReadings.ts';

/** What is known of a downloaded archive without looking into it. */
export interface ArchiveFacts {
	/** When it was downloaded or last added to. */
	readonly readAtMs: number;
	/** Mails from then on are in it; `undefined` for all that the list has. */
	readonly sinceMs: number | undefined;
	readonly mails: number;
	/** Of the mailbox as it was downloaded. */
	readonly bytes: number;
}

/** An archive with its mails as they came. */
export interface WholeArchive extends ArchiveHead {
	readonly envelopes: readonly string[];
}

/** Facts, and the names of the texts with mails in their order. */
export interface ArchiveHead {
	readonly facts: ArchiveFacts;
	readonly parts: readonly string[];
}

/** The archive of one list on disk: a few texts with mails, and one that says which these are. */
export interface KeptArchive {
	/** Without reading the mails. Never rejects. */
	facts(): Promise<ArchiveFacts | undefined>;
	/** `undefined` where a part is missing, too. Never rejects. */
	read(): Promise<WholeArchive | undefined>;
	/** Begins to keep it in place of what is there. */
	replace(facts: ArchiveFacts, envelopes: readonly string[]): ArchiveHead;
	/** Begins to add mails to what is there, which `before` names; `facts` are those of all together. */
	add(before: ArchiveHead, facts: ArchiveFacts, envelopes: readonly string[]): ArchiveHead;
	remove(): void;
}

/** Making a text of more characters takes longer than a frame. */
const partLength = 2 * 1024 * 1024;

export function keptArchive(disk: Pick<GroupedTexts, 'group'>, list: ListRef): KeptArchive {
	const headName = `archive ${listKey(list)}`;
	const kept = disk.group(headName);

	const head = (): Promise<ArchiveHead | undefined> =>
		kept.read(headName, (written) => headIn(headOf(headName, written)));

	function keepPart(name: string, envelopes: readonly string[]): void {
		kept.keep(name, {
			aboutBytes: lengthOf(envelopes) + headBytes,
			// As JSON, which writes half characters as well: bytes that are no UTF-8 are such.
			text: () => `${headLine(name, envelopes.length)}\n${JSON.stringify(envelopes)}`,
			isNewer: true,
		});
	}

	function keepHead(archive: ArchiveHead): ArchiveHead {
		const { facts, parts } = archive;
		kept.keep(headName, {
			aboutBytes: headBytes * (parts.length + 1),
			text: () => headLine(headName, { ...facts, parts }),
			isNewer: true,
		});
		return archive;
	}

	/** The parts of another download have other names, so that of two windows that download none reads those of the other. */
	function keepParts({ facts, parts }: ArchiveHead, envelopes: readonly string[]): readonly string[] {
		return partsOf(envelopes).map((part, at) => {
			const name = `${headName} ${facts.readAtMs} ${parts.length + at}`;
			keepPart(name, part);
			return name;
		});
	}

	return {
		facts: async () => (await head())?.facts,
		async read() {
			const known = await head();
			const envelopes: string[] = [];
			for (const name of known?.parts ?? []) {
				const part = await kept.read(name, (written) => partIn(name, written));
				if (!part) {
					return undefined;
				}
				envelopes.push(...part);
			}
			return known && { ...known, envelopes };
		},
		replace(facts, envelopes) {
			kept.dropAll();
			return keepHead({ facts, parts: keepParts({ facts, parts: [] }, envelopes) });
		},
		add: ({ parts }, facts, envelopes) =>
			keepHead({ facts, parts: [...parts, ...keepParts({ facts, parts }, envelopes)] }),
		remove: () => kept.dropAll(),
	};
}

function lengthOf(envelopes: readonly string[]): number {
	return envelopes.reduce((sum, each) => sum + each.length, 0);
}

/** Together no longer than a part may be, unless one of them is. */
function partsOf(envelopes: readonly string[]): readonly (readonly string[])[] {
	const parts: string[][] = [];
	let length = Infinity;
	for (const each of envelopes) {
		if (length + each.length > partLength) {
			parts.push([]);
			length = 0;
		}
		parts.at(-1)?.push(each);
		length += each.length;
	}
	return parts;
}

function headIn(value: unknown): ArchiveHead {
	const { readAtMs, sinceMs, mails, bytes, parts } = fieldsOf(value);
	return {
		facts: { readAtMs: time(readAtMs), sinceMs: maybe(sinceMs, time), mails: whole(mails), bytes: whole(bytes) },
		parts: listOf(parts, text),
	};
}

function partIn(name: string, written: string): readonly string[] {
	const end = written.indexOf('\n');
	const count = whole(headOf(name, written.slice(0, Math.max(0, end))));
	const envelopes = listOf(JSON.parse(written.slice(end + 1)), text);
	if (envelopes.length !== count) {
		throw new Error('Some mails of the part are missing');
	}
	return envelopes;
}
