import { Disposables } from '../../../base/lifecycle.ts';
import type { Feature } from '../../../editor/commands/feature.ts';
import { patchFiles, type PatchFiles } from '../../../patchDocuments/patchFiles.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import { diffCommands } from './diffCommands.ts';
import type { OpenDiffsParts } from './openDiffs.ts';
import { sureness } from './sureness.ts';
import { wholeSearch } from './wholeSearch.ts';

/** Patches as diffs of the editor. */
export interface Diffs extends Feature {
	/** Both sides of patched files, `forge-patch:`. */
	readonly files: PatchFiles;
	/** For other features that open patch diffs. */
	readonly opener: OpenDiffsParts;
}

export function diffs(parts: ListsParts): Diffs {
	const owned = new Disposables();
	const files = owned.add(patchFiles(parts));
	const search = wholeSearch(parts);
	const told = owned.add(sureness({ files, problems: parts.problems }));
	const opener = { parts, files, search, sureness: told };
	return {
		files,
		opener,
		commands: diffCommands(opener),
		dispose: () => owned.dispose(),
	};
}
