import * as vscode from 'vscode';
import * as v from 'valibot';
import { inboxUrlOf } from 'public-inbox/port/archiveWeb.ts';
import type { Archives } from 'public-inbox/port/archiveForge.ts';
import { mailboxSite } from 'public-inbox/read/archivePlace.ts';
import { cancelled, choose } from '../../editor/ask/ask.ts';
import { notify, tellBriefly } from '../../editor/ask/notify.ts';
import { withProgress, type ShownProgress } from '../../editor/ask/progress.ts';
import { connectionOf, subjectReader } from '../../editor/commands/subjects.ts';
import { openDestination } from '../../editor/links/openDestination.ts';
import { shortLine, visibleLine } from '../../engine/text/visible.ts';
import type { Connections } from '../../store/connection.ts';

const listSubject = subjectReader(
	v.object({ connectionKey: v.string(), ref: v.object({ owner: v.string(), name: v.string() }) }),
);

/** Of the messages that were left out, the newest. */
const mostNamed = 3;

const mailboxEndings = ['mbox', 'mbx', 'mmdf', 'gz', 'eml', 'patch', 'txt'];

/** Some 100 MB on most lists. */
const newestMails = 10_000;

/** Opens mailboxes of this computer, and keeps lists of archives on it. */
export function mailboxCommands({
	archives,
	live,
}: {
	readonly archives: {
		readonly open: () => Promise<Archives>;
		/** Reads the names of these lists again. */
		readonly look: () => Promise<void>;
		readonly mailboxKey: string;
	};
	readonly live: Connections & { readonly ready: Promise<void> };
}) {
	function listOf(subject: unknown): { readonly url: string; readonly name: string } {
		const given = listSubject(subject);
		const { archiveUrl } = given ? connectionOf(live, given).instance : {};
		if (!given || archiveUrl === undefined) {
			throw cancelled();
		}
		return { url: inboxUrlOf(archiveUrl, given.ref.name), name: visibleLine(given.ref.name) };
	}

	return {
		'forge.openMailbox': async (subject: unknown, signal: AbortSignal) => {
			const { fsPath } = subject instanceof vscode.Uri ? subject : await askMailbox();
			const opened = await archives.open();
			const { name } = await counting(vscode.l10n.t('Reading {0}…', visibleLine(fsPath)), signal, (told, working) =>
				opened.openMailbox(fsPath, told, working),
			);
			await archives.look();
			await live.ready;
			const connection = live.byKey(archives.mailboxKey);
			connection?.lists.lookAtFollowed();
			const ref = { owner: new URL(mailboxSite).host, name };
			await openDestination(connection, { kind: 'list', ref }, signal);
		},
		'forge.archives.keep': async (subject: unknown, signal: AbortSignal) => {
			const { url, name } = listOf(subject);
			const opened = await archives.open();
			const isKept = (await opened.held.at(url)) !== undefined;
			const size = isKept ? { depth: newestMails, mostMebibytes: 1000 } : await askSize(name);
			await counting(vscode.l10n.t('Downloading {0}…', name), signal, (told, working) =>
				opened.keep(url, size, told, working),
			);
			await archives.look();
			const left = (await (await opened.held.at(url))?.leftOut()) ?? [];
			if (left.length === 0) {
				return tellBriefly(vscode.l10n.t('{0} can be read offline', name));
			}
			const names = left.slice(-mostNamed).map(({ subject }) => vscode.l10n.t('"{0}"', shortLine(subject, 80)));
			void notify(
				'warning',
				vscode.l10n.t(
					'{0} can be read offline. Too large and left out: {1} in all, such as {2}. Open these on the web.',
					name,
					left.length,
					names.join(', '),
				),
			);
		},
		'forge.archives.stopKeeping': async (subject: unknown) => {
			const { url, name } = listOf(subject);
			await (await archives.open()).held.remove(url);
			await archives.look();
			tellBriefly(vscode.l10n.t('{0} is not kept any more', name));
		},
	};
}

/** Shows the number of mails that were read. */
function counting<T>(
	title: string,
	signal: AbortSignal,
	work: (told: (mails: number) => void, signal: AbortSignal) => Promise<T>,
): Promise<T> {
	let shown: ShownProgress | undefined;
	const told = (mails: number): void =>
		shown?.report({
			message: vscode.l10n.t('Messages read: {0}', new Intl.NumberFormat(vscode.env.language).format(mails)),
		});
	return withProgress(
		title,
		signal,
		(working) => work(told, working),
		(progress) => (shown = progress),
	);
}

/** Most systems have no dialog for both. */
async function askMailbox(): Promise<vscode.Uri> {
	const isFolder = await choose(vscode.l10n.t('Choose the kind of mailbox'), [
		{
			label: vscode.l10n.t('Mailbox File'),
			description: vscode.l10n.t('mbox, MMDF, .eml or .patch, also packed as .gz'),
			iconPath: new vscode.ThemeIcon('file'),
			value: false,
		},
		{
			label: vscode.l10n.t('Mailbox Folder'),
			description: vscode.l10n.t('a maildir, or a folder of messages'),
			iconPath: new vscode.ThemeIcon('folder'),
			value: true,
		},
	]);
	const [chosen] =
		(await vscode.window.showOpenDialog({
			title: vscode.l10n.t('Choose a mailbox'),
			canSelectFiles: !isFolder,
			canSelectFolders: isFolder,
			// Many mailboxes have no extension.
			filters: { [vscode.l10n.t('All Files')]: ['*'], [vscode.l10n.t('Mailboxes')]: mailboxEndings },
		})) ?? [];
	if (!chosen) {
		throw cancelled();
	}
	return chosen;
}

/** Archives do not tell the size of a download. */
function askSize(name: string) {
	return choose(vscode.l10n.t('How much of {0} do you want to keep?', name), [
		{
			label: vscode.l10n.t('The Newest {0} Messages', new Intl.NumberFormat(vscode.env.language).format(newestMails)),
			value: { depth: newestMails, mostMebibytes: 1000 },
		},
		{
			label: vscode.l10n.t('All Messages of the Newest Part'),
			description: vscode.l10n.t('up to a gigabyte on large lists'),
			value: { depth: undefined, mostMebibytes: 4000 },
		},
	]);
}
