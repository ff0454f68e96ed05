import type { Feature } from '../../../editor/commands/feature.ts';
import type { TreeSource } from '../../../editor/trees/treeSource.ts';
import type { RepositoriesParts } from '../parts/repositoriesParts.ts';
import type { ClonesHere } from './clonesHere.ts';
import { historyView } from './historyView.ts';
import { openEntry, openHistory } from './openHistory.ts';

/** The history of a file or folder: its view, and the commands on it. */
export interface HistoryFeature extends Feature {
	readonly tree: TreeSource;
}

export function historyFeature(parts: RepositoriesParts & { readonly clones: ClonesHere }): HistoryFeature {
	const view = historyView(parts);
	return {
		tree: view.tree,
		commands: {
			'forge.repositories.fileHistory': (subject, signal) => openHistory({ ...parts, view }, subject, signal),
			'forge.history.openChange': async (subject, signal) => {
				const found = view.entryOf(subject);
				if (found) {
					await openEntry(found.within, found.entry, signal);
				}
			},
			'forge.history.cancel': async () => view.cancel(),
			'forge.history.clear': () => view.clear(),
		},
		dispose: () => view.dispose(),
	};
}
