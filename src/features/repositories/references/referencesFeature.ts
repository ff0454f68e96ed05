import { Disposables } from '../../../base/lifecycle.ts';
import type { Feature } from '../../../editor/commands/feature.ts';
import type { KeptText } from '../../../state/shared/keptText.ts';
import type { RepositoriesParts } from '../parts/repositoriesParts.ts';
import { downloadArtifact } from '../artifacts/downloadArtifact.ts';
import type { Downloads } from '../../../state/repositories/downloads.ts';
import { laterFiles, type LaterFiles } from '../places/laterFiles.ts';
import { referenceStatus } from './referenceStatus.ts';
import { switchReference } from './switchReference.ts';

export interface ReferencesParts {
	readonly downloads: Downloads;
	/** Per-account storage of files to open in a new window. */
	readonly laterFilesOf: (connectionKey: string) => KeptText;
}

export interface ReferencesFeature extends Feature {
	readonly later: (connectionKey: string) => LaterFiles;
}

/** Composes what is done with branches, tags and their files. */
export function referencesFeature(parts: RepositoriesParts & ReferencesParts): ReferencesFeature {
	const { connections, ready, problems, clock, downloads, laterFilesOf } = parts;
	const owned = new Disposables();
	owned.add(referenceStatus(connections));
	const later = (connectionKey: string): LaterFiles => laterFiles(laterFilesOf(connectionKey));

	async function openLater(): Promise<void> {
		await ready();
		for (const { key } of connections.all()) {
			await later(key).open();
		}
	}
	openLater().catch(problems.log);

	return {
		later,
		commands: {
			'forge.repositories.switchReference': (subject, signal) =>
				switchReference({ connections, clock, later }, subject, signal),
			'forge.repositories.downloadArtifact': (subject, signal) =>
				downloadArtifact({ connections, downloads }, subject, signal),
		},
		dispose: () => owned.dispose(),
	};
}
