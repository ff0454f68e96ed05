import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { Archives } from 'public-inbox/port/archiveForge.ts';
import type { KeptNumbers, NumberedMail } from 'public-inbox/port/mailNumbers.ts';
import type { Forge } from 'sourcehut/port/forge.ts';
import type { Net } from 'sourcehut/net.ts';
import { archiveKey } from '../../editor/accounts/session.ts';
import type { ArchiveDirectory } from '../../editor/accounts/archiveDirectory.ts';
import { fileLines } from '../../machine/storage/fileLines.ts';

/** Some 100 bytes each. */
const mostNumbers = 20_000;

export type ProgramArchives = ReturnType<typeof programArchives>;

/** Mail archives of the program. The first one loads their bundle. `folder`: for the numbers of mails. `ownAddress`: of Git's identity. */
export function programArchives(
	directory: ArchiveDirectory,
	net: () => Promise<Net>,
	folder: string,
	ownAddress: (signal: AbortSignal) => Promise<string | undefined>,
	clock: Clock,
) {
	let opening: Promise<Archives> | undefined;
	async function open(): Promise<Archives> {
		opening ??= (async () => {
			const [{ openArchives }, { stream }] = await Promise.all([import('public-inbox/port/archiveForge.ts'), net()]);
			return openArchives(
				async (request, signal) => {
					// The client of archives limits its bodies.
					const limitBytes = Number.MAX_SAFE_INTEGER;
					const answer = await stream({ ...request, acceptsGzip: true, limitBytes, signal });
					return { ...answer, status: answer.head.status };
				},
				clock,
				() => directory.mirrors(),
			);
		})();
		return await opening;
	}
	return {
		open,
		/** Keys and sites, in the order of their first lists. */
		all: () => directory.all().map((instance) => [archiveKey(instance.id), instance] as const),
		/** The port of a site that is open already. */
		forge(archives: Archives, siteUrl: string): Forge {
			const file = join(folder, createHash('sha256').update(siteUrl).digest('hex').slice(0, 16), 'mails.txt');
			return archives.forge(siteUrl, {
				inboxes: () => directory.namesAt(siteUrl),
				kept: keptNumbers(fileLines(file, mostNumbers)),
				ownAddresses: async (signal) => [(await ownAddress(signal)) ?? []].flat(),
				clock,
			});
		},
		onDidChange: directory.onDidChange,
	};
}

/** Without mails whose names a line can't hold. */
function keptNumbers(lines: ReturnType<typeof fileLines>): KeptNumbers {
	return {
		read: () =>
			lines.read().flatMap((line): readonly NumberedMail[] => {
				const [number, inbox, messageId, text] = line.split('\t');
				return inbox !== undefined && messageId !== undefined && /^\d{13,16}$/.test(number ?? '')
					? [{ number: Number(number), inbox, messageId, ...(text === undefined ? {} : { text }) }]
					: [];
			}),
		add({ number, inbox, messageId, text }) {
			const fields = [String(number), inbox, messageId, ...(text === undefined ? [] : [text])];
			if (!fields.some((field) => /[\t\n]/.test(field))) {
				lines.add(fields.join('\t'));
			}
		},
	};
}
