import * as v from 'valibot';
import { pushAll } from '@forge-desk/base/longArrays.ts';
import { listKey, type ListRef } from 'sourcehut/port/list.ts';
import { headBytes, headLine, headOf, type GroupedTexts } from '../shared/keptReadings.ts';
import { type FieldsOf, maybe, time, whole } from '../shared/keptText.ts';

/** Facts about a downloaded archive, without its mails. */
export interface ArchiveFacts {
	/** Time of the download or last update. */
	readonly readAtMs: number;
	/** Start of the archive; `undefined` for the whole list. */
	readonly sinceMs: number | undefined;
	readonly mails: number;
	/** Size of the downloaded mailbox. */
	readonly bytes: number;
}

/** An archive with its raw mails. */
export interface WholeArchive extends ArchiveHead {
	readonly envelopes: readonly string[];
}

/** Facts and the names of the mail files, in order. */
export interface ArchiveHead {
	readonly facts: ArchiveFacts;
	readonly parts: readonly string[];
}

/** Writing a larger part would take longer than a frame. */
const partLength = 2 * 1024 * 1024;

/** The archive of one list on disk: a few files with mails, and an index file. */
export function keptArchive(disk: GroupedTexts, list: ListRef) {
	const headName = `archive ${listKey(list)}`;
	const kept = disk.group(headName);

	const head = (): Promise<ArchiveHead | undefined> =>
		kept.read(headName, (written) => v.parse(archiveHead, headOf(headName, written)));

	function keepHead(archive: ArchiveHead): ArchiveHead {
		const { facts, parts } = archive;
		kept.keep(headName, {
			aboutBytes: headBytes * (parts.length + 1),
			text: () => headLine(headName, { ...facts, parts }),
			isNewer: true,
		});
		return archive;
	}

	/** Each download has its own part names, so two windows never mix their parts. */
	function keepParts({ facts, parts }: ArchiveHead, envelopes: readonly string[]): readonly string[] {
		return partsOf(envelopes).map((part, at) => {
			const name = `${headName} ${facts.readAtMs} ${parts.length + at}`;
			kept.keep(name, {
				aboutBytes: part.reduce((sum, each) => sum + each.length, headBytes),
				// JSON preserves lone surrogates, which represent bytes outside UTF-8.
				text: () => `${headLine(name, part.length)}\n${JSON.stringify(part)}`,
				isNewer: true,
			});
			return name;
		});
	}

	return {
		/** Without the mails. Never rejects. */
		facts: async () => (await head())?.facts,
		/** `undefined` if a part is missing. Never rejects. */
		async read(): Promise<WholeArchive | undefined> {
			const known = await head();
			const envelopes: string[] = [];
			for (const name of known?.parts ?? []) {
				const part = await kept.read(name, (written) => {
					const end = written.indexOf('\n');
					const count = v.parse(whole, headOf(name, written.slice(0, Math.max(0, end))));
					const found = v.parse(texts, JSON.parse(written.slice(end + 1)));
					if (found.length !== count) {
						throw new Error('Some mails of the part are missing');
					}
					return found;
				});
				if (!part) {
					return undefined;
				}
				pushAll(envelopes, part);
			}
			return known && { ...known, envelopes };
		},
		/** Replaces the stored archive. */
		replace(facts: ArchiveFacts, envelopes: readonly string[]) {
			kept.dropAll();
			return keepHead({ facts, parts: keepParts({ facts, parts: [] }, envelopes) });
		},
		/** Appends mails to the archive `before`. `facts`: those of the whole archive. */
		add: ({ parts }: ArchiveHead, facts: ArchiveFacts, envelopes: readonly string[]) =>
			keepHead({ facts, parts: [...parts, ...keepParts({ facts, parts }, envelopes)] }),
		remove: () => kept.dropAll(),
	};
}

/** Splits at `partLength`, unless one mail is longer. */
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

const texts = v.array(v.string());
const facts = {
	readAtMs: time,
	sinceMs: maybe(time),
	mails: whole,
	bytes: whole,
} satisfies FieldsOf<ArchiveFacts>;
const archiveHead = v.pipe(
	v.object({ ...facts, parts: texts }),
	v.transform(({ parts, ...rest }): ArchiveHead => ({ facts: rest, parts })),
);
