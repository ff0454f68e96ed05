import { Disposables } from '../../../base/lifecycle.ts';
import { onceAtATime } from '../../../base/onceAtATime.ts';
import type { EditDescription } from '../../../editor/documents/described.ts';
import type { Feature } from '../../../editor/commands/feature.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { askAccount, ownTarget } from '../../../editor/owned/askOwned.ts';
import { deleteOwned } from '../../../editor/owned/deleteOwned.ts';
import type { Unmade } from '../../../editor/owned/newOwned.ts';
import { refText } from '../../../forge/namedRef.ts';
import type { LaterFiles } from '../places/laterFiles.ts';
import type { RepositoriesParts } from '../parts/repositoriesParts.ts';
import { repositoryKind } from '../subjects/repositoryKind.ts';
import { createRepository } from './createRepository.ts';
import { editRepository } from './editRepository.ts';
import { renamedPlaces } from './renamedPlaces.ts';
import { setDefaultBranch } from './setDefaultBranch.ts';

export interface ManageParts extends RepositoriesParts {
	readonly editDescription: EditDescription;
	readonly later: (connectionKey: string) => Pick<LaterFiles, 'keep'>;
}

/** Composes the management of own repositories. */
export function manageFeature({ connections, problems, later, editDescription }: ManageParts): Feature {
	const owned = new Disposables();
	owned.add(renamedPlaces({ connections, problems, later }));
	const unmade: Unmade = new Map();
	const once = onceAtATime();
	return {
		commands: {
			'forge.repositories.create': async (_, signal) =>
				createRepository({ problems, unmade }, await askAccount(repositoryKind, connections), signal),
			'forge.repositories.edit': async (subject, signal) => {
				const own = await ownTarget(repositoryKind, connections, subject, signal);
				return editRepository({ problems, editDescription }, connectionOf(connections, own), own, signal);
			},
			'forge.repositories.setDefaultBranch': async (subject, signal) => {
				const own = await ownTarget(repositoryKind, connections, subject, signal);
				return setDefaultBranch(connectionOf(connections, own), own, signal);
			},
			'forge.repositories.delete': async (subject, signal) => {
				const own = await ownTarget(repositoryKind, connections, subject, signal);
				return once(`${own.connectionKey} ${refText(own.ref)}`, async () => {
					await deleteOwned(repositoryKind, connectionOf(connections, own), own.ref, signal);
				});
			},
		},
		dispose: () => owned.dispose(),
	};
}
