import * as vscode from 'vscode';
import { inboxAt, inboxOfMail } from 'public-inbox/port/archiveWeb.ts';
import type { Archives } from 'public-inbox/port/archiveForge.ts';
import { readArchivePlace, type ArchivePlace } from 'public-inbox/read/archivePlace.ts';
import { knownSites } from 'public-inbox/read/knownSites.ts';
import type { Destination } from 'sourcehut/port/destination.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { isOwnComputer } from 'sourcehut/port/instance.ts';
import { folderUrl, type ArchiveDirectory } from '../../editor/accounts/archiveDirectory.ts';
import { archiveKey } from '../../editor/accounts/session.ts';
import { choose } from '../../editor/ask/ask.ts';
import { asTyped, chooseOrType } from '../../editor/ask/chooseOrType.ts';
import { withProgress } from '../../editor/ask/progress.ts';
import type { CommandTable } from '../../editor/commands/feature.ts';
import { openDestination } from '../../editor/links/openDestination.ts';
import type { Connection } from '../../store/connection.ts';
import { visibleLine } from '../../engine/text/visible.ts';

/** Follows and opens lists of mail archives. Sends nothing before the user has chosen a site. */
export function archivesFeature(parts: {
	readonly directory: ArchiveDirectory;
	readonly open: () => Promise<Archives>;
	readonly live: { readonly ready: Promise<void>; readonly byKey: (key: string) => Connection | undefined };
}): { readonly commands: CommandTable; openPage(url: string, signal: AbortSignal): Promise<void> } {
	const { directory, live } = parts;

	/** Opens a list or mail, also of a site without followed lists. */
	async function openAt(inboxUrl: string, messageId: string | undefined, signal: AbortSignal): Promise<void> {
		const { siteUrl, name } =
			messageId === undefined ? (inboxAt(inboxUrl) ?? missing(inboxUrl)) : inboxOfMail(inboxUrl);
		const { id } = await directory.visit(siteUrl);
		await live.ready;
		const ref = name === undefined ? undefined : { owner: new URL(siteUrl).host, name };
		const to: Destination | undefined =
			messageId === undefined ? ref && { kind: 'list', ref } : { kind: 'mail', messageId, list: ref };
		await openDestination(live.byKey(archiveKey(id)), to ?? missing(inboxUrl), signal);
	}

	/** The URL of a list: the given one, or one that the user chooses at its site. */
	async function inboxOf(url: string, signal: AbortSignal): Promise<string> {
		const { host } = new URL(url);
		const found = await withProgress(vscode.l10n.t('Connecting to {0}…', host), signal, async (working) =>
			(await parts.open()).findPlace(url, working),
		);
		if (found.kind === 'inbox') {
			return found.url;
		}
		const chosen = await choose(
			vscode.l10n.t('Choose a list of {0}', host),
			found.inboxes.map(({ name, description, url: value }) => {
				const at = new URL(value);
				return {
					label: visibleLine(name),
					description: [...(at.host === host ? [] : [at.host]), visibleLine(description)].join(' '),
					iconPath: new vscode.ThemeIcon('mail'),
					value,
				};
			}),
		);
		// A site may name other hosts, and none of this computer.
		return new URL(chosen).host === host || !isOwnComputer(chosen) ? pageOf(checkedPlace(chosen)) : missing(chosen);
	}

	return {
		commands: {
			'forge.archives.follow': async (subject, signal) => {
				let text = typeof subject === 'string' ? subject : '';
				if (text === '') {
					const rows = knownSites.map(({ url, projects }) => ({
						label: new URL(url).host,
						description: projects,
						iconPath: new vscode.ThemeIcon('archive'),
						value: url,
					}));
					const { value, typed } = await chooseOrType<string | undefined>(
						{
							title: vscode.l10n.t('Choose an email archive, or paste the URL of an archive, list or message'),
							choices: rows,
							exact: (other) =>
								placeIn(other) && asTyped(rows, other, { iconPath: new vscode.ThemeIcon('archive'), value: undefined }),
						},
						signal,
					);
					text = value ?? typed;
				}
				const place = checkedPlace(text);
				const at = pageOf(place);
				const url = place.kind === 'mail' && inboxAt(at) ? at : await inboxOf(at, signal);
				await directory.add(url);
				await openAt(url, undefined, signal);
			},
		},
		/** Opens a page of any archive. */
		async openPage(url: string, signal: AbortSignal): Promise<void> {
			const place = checkedPlace(url);
			await (place.kind === 'mail'
				? openAt(place.inboxUrl, place.messageId, signal)
				: openAt(await inboxOf(place.url, signal), undefined, signal));
		},
	};
}

function checkedPlace(text: string): Page {
	return placeIn(text) ?? missing(text);
}

function missing(about: string): never {
	throw new ForgeError({ kind: 'notFound' }, { about, isUnsent: true });
}

type Page = Exclude<ArchivePlace, { readonly kind: 'messageId' }>;

/** The URL of a list, or of its site. */
function pageOf(place: Page): string {
	if (place.kind === 'place') {
		return place.url;
	}
	const { siteUrl, name } = inboxOfMail(place.inboxUrl);
	return name === undefined ? siteUrl : place.inboxUrl;
}

/** The URL of an archive's page. `undefined` for other texts, and for plain http to other computers. */
function placeIn(text: string): Page | undefined {
	const place = readArchivePlace(text);
	return !place || place.kind === 'messageId' || folderUrl(pageOf(place)) === undefined ? undefined : place;
}
