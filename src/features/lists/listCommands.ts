import type { CommandTable } from '../../editor/commands/feature.ts';
import { archiveCommands } from './archive/searchArchive.ts';
import { listFilterCommands } from './manage/listFilterCommands.ts';
import { subjectOrInFront } from './subjects/givenSubject.ts';
import { mailTarget, mailTargets, patchsetTarget, patchsetTargets } from './subjects/listTargets.ts';
import { listKind } from './subjects/listKind.ts';
import { askAccount, ownTarget } from '../../editor/owned/askOwned.ts';
import { createOwned, tellCreated, type Unmade } from '../../editor/owned/newOwned.ts';
import type { ListsDesk } from './parts/listsDesk.ts';
import { deleteList } from './manage/deleteList.ts';
import { askStatus, setStatus, statusGiven } from './status/setStatus.ts';
import { suggestStatus } from './status/suggestStatus.ts';
import { patchsetSubject } from './subjects/subjects.ts';
import { subscriptionCommands } from './manage/subscriptions.ts';
import { copyAmCommand, copyMessageIds, saveMbox } from './patchset/exportPatchset.ts';
import { linkVersion, unlinkVersion } from './patchset/versionLinks.ts';
import { copyFetchCommand, openPullChanges } from './pull/pullChanges.ts';
import type { OpenMail } from './mail/mailDocuments.ts';

/** Commands on lists, mails and patchsets, except those that open pages. From the palette each asks for its subject. */
export function listCommands(parts: ListsDesk, open: OpenMail, openThread: OpenMail): CommandTable {
	return {
		...subscriptionCommands(parts),
		...listFilterCommands(parts),
		...archiveCommands(parts, openThread),
		...ownCommands(parts),
		...patchsetCommands(parts),
		'forge.lists.openMail': async (subject, signal) => open(await mailTarget(parts, subject, signal), signal),
		'forge.lists.openPullChanges': (subject, signal) => openPullChanges(parts, subject, signal),
		'forge.lists.copyFetchCommand': (subject, signal) => copyFetchCommand(parts, subject, signal),
		'forge.lists.copyMessageId': async (subject, signal, selected) =>
			copyMessageIds(parts.connections, await mailTargets(parts, subject, selected, signal), signal),
	};
}

function ownCommands({ connections, editDescription }: ListsDesk): CommandTable {
	const unmade: Unmade = new Map();
	return {
		'forge.lists.create': async (_, signal) => {
			const connection = await askAccount(listKind, connections);
			tellCreated(await createOwned(listKind, unmade, connection, signal));
		},
		'forge.lists.editDescription': async (subject, signal) =>
			editDescription(await ownTarget(listKind, connections, subject, signal)),
		'forge.lists.delete': async (subject, signal) =>
			deleteList(connections, await ownTarget(listKind, connections, subject, signal), signal),
	};
}

function patchsetCommands(parts: ListsDesk): CommandTable {
	const { connections, statuses } = parts;
	return {
		'forge.patchsets.setStatus': async (subject, signal, selected) => {
			const subjects = await patchsetTargets(parts, subject, selected, signal);
			const status = statusGiven(subject);
			return status === undefined
				? askStatus(statuses, subjects, signal)
				: setStatus(statuses, subjects, status, signal);
		},
		'forge.patchsets.undo': async (subject, signal) => {
			const inFront = patchsetSubject(subjectOrInFront(parts.pages, subject));
			await statuses.undo({ kind: 'newest', inFront: inFront ? [inFront] : [] }, signal);
		},
		'forge.patchsets.suggestStatus': async (subject, signal) =>
			suggestStatus(statuses, await patchsetTarget(parts, subject, signal), signal),
		'forge.patchsets.save': async (subject, signal) =>
			saveMbox(parts, await patchsetTarget(parts, subject, signal), signal),
		'forge.patchsets.copyCommand': async (subject, signal) =>
			copyAmCommand(parts, await patchsetTarget(parts, subject, signal), signal),
		'forge.patchsets.linkVersion': async (subject, signal) =>
			linkVersion(connections, await patchsetTarget(parts, subject, signal), signal),
		'forge.patchsets.unlinkVersion': async (subject, signal) =>
			unlinkVersion(connections, await patchsetTarget(parts, subject, signal), signal),
	};
}
