import * as vscode from 'vscode';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import type { Clock } from '../../../base/clock.ts';
import type { CommandHandler, CommandTable } from '../../../editor/commands/feature.ts';
import type { FindGit } from '../../../editor/git/gitApi.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { HardenedGit } from '../../../localGit/hardenedGit.ts';
import { referenceKind, referenceOf, shortName } from '../../../state/repositories/repositoryReferences.ts';
import { askRepository } from '../questions/repositoryQuestions.ts';
import { repositoriesSubject } from '../subjects/subjects.ts';
import { cloneToSearch, type CloneToSearch } from './cloneToSearch.ts';
import { continueInClone, continueInOpened, type ContinueParts } from './continueInClone.ts';
import { tellingOfGit } from './failureText.ts';
import { keptWish, type WishStorage } from './keptWish.ts';
import { makeClone } from './makeClone.ts';
import { openBelonging, type BelongingParts } from './openBelonging.ts';
import { openClones, type OpenClone, type OpenClones } from './openClones.ts';
import { offerToOpen } from './openFolder.ts';
import { openCounterpart } from './openCounterpart.ts';

export interface ClonesParts extends BelongingParts {
	readonly findGit: FindGit;
	readonly git: HardenedGit;
	readonly isTrusted: () => boolean;
	/** The editor's, for all windows. */
	readonly storage: WishStorage;
	readonly problems: Problems;
	readonly clock: Pick<Clock, 'nowMs'>;
}

/** Between repositories on the forge and their clones on this machine. */
export interface ClonesFeature extends Disposable {
	readonly commands: CommandTable;
	readonly clones: OpenClones;
	readonly toSearch: (clone: Pick<OpenClone, 'root'>) => CloneToSearch;
}

export function clonesFeature(parts: ClonesParts): ClonesFeature {
	const owned = new Disposables();
	const ending = new AbortController();
	owned.add({ dispose: () => ending.abort() });
	const clones = openClones(parts.connections, parts.findGit);
	const going: ContinueParts = { ...parts, clones, wishes: keptWish(parts.storage, parts.clock) };
	const goOn = (): void => {
		continueInOpened(going, ending.signal).catch(parts.problems.log);
	};
	owned.add(vscode.workspace.onDidChangeWorkspaceFolders(goOn));
	goOn();
	const told = (handler: CommandHandler): CommandHandler => tellingOfGit(parts.problems, handler);
	return {
		clones,
		toSearch: (clone) => cloneToSearch(parts.git, clone),
		commands: {
			'forge.repositories.clone': told((subject, signal) => clone(parts, subject, signal)),
			'forge.repositories.continueInClone': told((subject, signal) => continueInClone(going, subject, signal)),
			'forge.repositories.openTwin': (subject, signal) => openCounterpart(going, subject, signal),
			'forge.repositories.openTracker': (subject, signal) => openBelonging(parts, 'tracker', subject, signal),
			'forge.repositories.openList': (subject, signal) => openBelonging(parts, 'list', subject, signal),
		},
		dispose: () => owned.dispose(),
	};
}

/** Clones a repository, with the branch or tag of the given row checked out. */
async function clone(parts: ClonesParts, subject: unknown, signal: AbortSignal): Promise<void> {
	const given = repositoriesSubject(subject);
	const { connectionKey, ref } = given ?? (await askRepository(parts.connections, 'another', signal));
	const connection = connectionOf(parts.connections, { connectionKey });
	const { items } = connection.repositories.knownReferences(ref) ?? { items: [] };
	const reference = given?.kind === 'reference' ? referenceOf(given.revision, items) : undefined;
	const branch = reference && referenceKind(reference) !== 'other' ? shortName(reference) : undefined;
	const folder = await makeClone(parts, { connection, ref, branch }, signal);
	// Not awaited: the notice may stay open for hours.
	void offerToOpen(folder);
}
