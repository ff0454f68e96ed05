import * as vscode from 'vscode';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { openLink } from '../../../editor/links/openLink.ts';
import type { PageContent, PageLink } from '../../../editor/pages/pageHost.ts';
import { restorePage } from '../../../editor/pages/restorePage.ts';
import { settablePatchsetStatuses } from '../../../forge/port/list.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import { wordOf } from '../../../forge/port/word.ts';
import { handler, type Handlers } from '../../../pages/protocol/channel.ts';
import { clickedHref, itemId, nothing, personName } from '../../../pages/protocol/pageValues.ts';
import {
	type PatchsetProtocol,
	chosenFile,
	patchsetAction,
	patchsetPart,
	statusWord,
	type PatchsetAction,
} from '../../../pages/protocol/patchsetProtocol.ts';
import type { ListsParts, PageArea } from '../parts/listsParts.ts';
import { setStatus } from '../status/setStatus.ts';
import { patchsetTarget } from '../subjects/listTargets.ts';
import {
	patchsetSubject,
	type PatchsetSubject,
	type MailSubject,
	type PatchFileSubject,
} from '../subjects/subjects.ts';
import { patchsetWebLink } from '../subjects/webLink.ts';
import { tabTitle, patchsetReference } from './headView.ts';
import { OpenPatchset } from './openPatchset.ts';

const commandOf: Readonly<Record<Exclude<PatchsetAction, 'copyReference'>, string>> = {
	openThread: 'forge.patchsets.openThread',
	openDiffs: 'forge.patchsets.openDiff',
	save: 'forge.patchsets.save',
	copyCommand: 'forge.patchsets.copyCommand',
	checkApplies: 'forge.patchsets.checkApplies',
	apply: 'forge.patchsets.apply',
	copyLink: 'forge.copyLink',
	copyMessageId: 'forge.lists.copyMessageId',
	openOnWeb: 'forge.openOnWeb',
	linkVersion: 'forge.patchsets.linkVersion',
	previewReview: 'forge.review.preview',
	sendReview: 'forge.review.send',
	discardReview: 'forge.review.discard',
};

/** Composes the pages of patchsets. */
export function patchsetPages(parts: ListsParts): PageArea {
	const ending = new AbortController();
	return {
		commands: {
			'forge.patchsets.open': async (subject, signal) => {
				const patchset = await patchsetTarget(parts, subject, signal);
				parts.pages.open(patchsetPage(parts, patchset, ending.signal), 'taken');
			},
		},
		restorePage: restorePage(patchsetSubject, (panel, subject) => {
			parts.pages.restore(panel, patchsetPage(parts, subject, ending.signal));
		}),
		dispose() {
			ending.abort();
		},
	};
}

/** Page of a patchset. `writing` outlives the page: a running write may already have reached the forge. */
export function patchsetPage(
	parts: ListsParts,
	subject: PatchsetSubject,
	writing: AbortSignal,
): PageContent<PatchsetProtocol> {
	const { connectionKey, ref } = subject;
	const known = parts.connections.byKey(connectionKey)?.lists.knownPatchset(ref);
	return {
		type: 'forge.patchset',
		key: `${connectionKey} ${refText(ref.list)} ${ref.id}`,
		title: tabTitle(ref, known),
		icon: 'git-pull-request',
		subject,
		script: 'patchset.js',
		styles: ['page.css', 'mailText.css', 'files.css', 'patchsetPage.css'],
		keptOpenBy: ['openPatchset', 'follow'],
		connect(link) {
			const page = new OpenPatchset(parts, subject, link);
			return { handlers: patchsetHandlers(page, parts, subject, link, writing), start: page.open() };
		},
	};
}

/** Requests that the page may send. Commands report their own failures. */
function patchsetHandlers(
	page: OpenPatchset,
	parts: ListsParts,
	subject: PatchsetSubject,
	link: PageLink<PatchsetProtocol>,
	/** Lets a write finish after its page closed. */
	writing: AbortSignal,
): Handlers<PatchsetProtocol> {
	const { connectionKey, ref } = subject;
	const mail = (id: number): MailSubject => ({
		kind: 'mail',
		connectionKey,
		list: ref.list,
		id,
		messageId: connectionOf(parts.connections, subject).lists.knownMail(id)?.messageId,
	});
	const other = (id: number): PatchsetSubject => ({ ...subject, ref: { list: ref.list, id } });
	return {
		load: handler(nothing, () => Promise.resolve(page.load())),
		again: handler(patchsetPart, (part) => done(page.again(part))),
		run: handler(patchsetAction, (action) => {
			const known = connectionOf(parts.connections, subject).lists.knownPatchset(ref);
			return action === 'copyReference'
				? done(vscode.env.clipboard.writeText(patchsetReference(ref, known)))
				: execute(commandOf[action], subject);
		}),
		setStatus: handler(statusWord, async (word) => {
			const status = wordOf(settablePatchsetStatuses, word);
			// A refusal has a next step, such as signing in. Only a notice can offer it.
			await unlessFailed(parts, setStatus(parts.statuses, [subject], status, writing));
			page.changed();
			return undefined;
		}),
		openFile: handler(chosenFile, ({ mailId, fileIndex }) => {
			const file: PatchFileSubject = {
				kind: 'patchFile',
				connectionKey,
				list: ref.list,
				patchsetId: ref.id,
				mailId,
				fileIndex,
			};
			return execute(commandOf.openDiffs, file);
		}),
		openPatch: handler(itemId, (id) => execute(commandOf.openDiffs, mail(id))),
		toggleViewed: handler(itemId, (id) => execute('forge.patchsets.toggleViewed', mail(id))),
		showRaw: handler(itemId, (id) => execute('forge.patchsets.showRaw', mail(id))),
		openMail: handler(itemId, (id) => execute('forge.lists.openThread', mail(id))),
		openPatchset: handler(itemId, (id) => execute('forge.patchsets.open', other(id))),
		compareVersion: handler(itemId, (id) =>
			execute('forge.patchsets.compareVersions', { ...subject, otherVersion: id }),
		),
		openVersionChanges: handler(itemId, (id) =>
			execute('forge.patchsets.openVersionChanges', { ...subject, otherVersion: id }),
		),
		unlinkVersion: handler(itemId, async (id) => {
			const { reviews } = connectionOf(parts.connections, subject);
			await reviews.unlinkVersions(ref, other(id).ref);
			page.changed();
			return undefined;
		}),
		openPerson: handler(personName, (name) => execute('forge.people.open', { kind: 'person', connectionKey, name })),
		follow: handler(clickedHref, (href) => {
			const base = patchsetWebLink(connectionOf(parts.connections, subject), ref);
			return unlessFailed(parts, openLink(parts.connections, { connectionKey, href, base }, link.signal));
		}),
	};
}

function execute(command: string, subject: unknown): Promise<undefined> {
	return done(vscode.commands.executeCommand(command, subject));
}

/** Shows a failure like a command does. Not awaited: an open notice must not keep the page busy. */
async function unlessFailed({ problems }: ListsParts, work: Promise<void>): Promise<undefined> {
	try {
		await work;
	} catch (error) {
		void problems.show(error);
	}
	return undefined;
}

async function done(work: PromiseLike<unknown>): Promise<undefined> {
	await work;
	return undefined;
}
