import * as vscode from 'vscode';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import type { Archives, HeldPlace } from 'public-inbox/port/archiveForge.ts';
import { inboxUrlOf } from 'public-inbox/port/archiveWeb.ts';
import type { KeptNumbers, NumberedMail } from 'public-inbox/port/mailNumbers.ts';
import { mailboxSite } from 'public-inbox/read/archivePlace.ts';
import type { Forge } from 'sourcehut/port/forge.ts';
import type { Net } from 'sourcehut/net.ts';
import { archiveKey } from '../../editor/accounts/session.ts';
import { mailboxInstance, type ArchiveDirectory } from '../../editor/accounts/archiveDirectory.ts';
import { isSameValue } from '../../base/isSameValue.ts';
import { fileLines } from '../../machine/storage/fileLines.ts';
import type { KeptNames } from '../../store/shared/keptNames.ts';

/** Some 100 bytes each. */
const mostNumbers = 20_000;

export type ProgramArchives = ReturnType<typeof programArchives>;

/**
 * Mail archives of the program, and mailboxes. The first one loads their bundle. `ownAddress`: of Git's
 * identity. `place`: of the lists on this machine. The folder above has the numbers of mails.
 */
export function programArchives(
	directory: ArchiveDirectory,
	net: () => Promise<Net>,
	ownAddress: (signal: AbortSignal) => Promise<string | undefined>,
	clock: Clock,
	place: HeldPlace,
) {
	const folder = dirname(place.folder);
	const ofMailboxes = mailboxInstance(vscode.l10n.t('Mailboxes on This Computer'));
	const owner = new URL(mailboxSite).host;
	/** Names, as `look` read them. */
	let mailboxes: readonly string[] = [];
	const changed = new Emitter<void>();
	directory.onDidChange(() => changed.fire());
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
				place,
			);
		})();
		opening.catch(() => (opening = undefined));
		return await opening;
	}
	/** Reads the names of the lists on this machine. */
	async function look(): Promise<void> {
		if (existsSync(place.folder)) {
			const held = await (await open()).held.all();
			const hasKept = held.some(({ fetch }) => fetch !== undefined);
			const found = held.flatMap(({ facts: { url, name } }) => (url.startsWith(mailboxSite) ? [name] : []));
			const isNew = !isSameValue(found, mailboxes);
			mailboxes = found;
			await vscode.commands.executeCommand('setContext', 'forge.hasKeptLists', hasKept);
			if (isNew) {
				changed.fire();
			}
		}
	}
	const mailboxLists: KeptNames = {
		all: () => mailboxes.map((name) => `${owner}/${name}`),
		async keep(names) {
			const { held } = await open();
			for (const name of mailboxes.filter((each) => !names.includes(`${owner}/${each}`))) {
				await held.remove(inboxUrlOf(mailboxSite, name));
			}
			await look();
		},
	};
	return {
		open,
		look,
		/** Keys and sites, in the order of their first lists. Mailboxes come last. */
		all: () =>
			[...directory.all(), ...(mailboxes.length === 0 ? [] : [ofMailboxes])].map(
				(instance) => [archiveKey(instance.id), instance] as const,
			),
		mailboxKey: archiveKey(ofMailboxes.id),
		/** Names of the followed lists of a site. */
		followed(siteUrl: string): KeptNames {
			if (siteUrl === mailboxSite) {
				return mailboxLists;
			}
			const followed = directory.followed(siteUrl);
			return {
				all: () => followed.all(),
				async keep(names) {
					const gone = followed.all().filter((name) => !names.includes(name));
					await followed.keep(names);
					if (gone.length > 0 && existsSync(place.folder)) {
						const { held } = await open();
						for (const name of gone) {
							await held.remove(inboxUrlOf(siteUrl, name.slice(name.indexOf('/') + 1)));
						}
						await look();
					}
				},
			};
		},
		/** The port of a site that is open already. */
		forge(archives: Archives, siteUrl: string): Forge {
			const file = join(folder, createHash('sha256').update(siteUrl).digest('hex').slice(0, 16), 'mails.txt');
			return archives.forge(siteUrl, {
				inboxes: () => (siteUrl === mailboxSite ? mailboxes : directory.namesAt(siteUrl)),
				kept: keptNumbers(fileLines(file, mostNumbers)),
				ownAddresses: async (signal) => [(await ownAddress(signal)) ?? []].flat(),
				clock,
			});
		},
		onDidChange: changed.event,
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
