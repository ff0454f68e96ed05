import type { Feature } from '../../../editor/commands/feature.ts';
import type { OpenDiffsParts } from '../diffs/openDiffs.ts';
import { chooseVersions, reviewedVersions } from './chooseVersion.ts';
import { openChanges, openRangeDiff } from './openVersions.ts';
import { versionFiles, type VersionFiles } from './versionFiles.ts';

/** Versions of a series beside each other. */
export interface Versions extends Feature {
	/** Comparisons as documents, `forge-versions:`. */
	readonly files: VersionFiles;
}

export function versions(opener: OpenDiffsParts): Versions {
	const { parts } = opener;
	const files = versionFiles(parts);
	return {
		files,
		commands: {
			'forge.patchsets.compareVersions': async (subject, signal) =>
				openRangeDiff(opener, await chooseVersions(parts, subject, signal), signal),
			'forge.patchsets.openVersionChanges': async (subject, signal) =>
				openChanges(opener, await chooseVersions(parts, subject, signal), signal),
			'forge.patchsets.openChangesSinceReview': async (subject, signal) =>
				openChanges(opener, await reviewedVersions(parts, subject, signal), signal),
		},
		dispose: () => files.dispose(),
	};
}
