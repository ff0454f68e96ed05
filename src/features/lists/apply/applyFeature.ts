import { Disposables } from '../../../base/lifecycle.ts';
import type { CommandTable, Feature } from '../../../editor/commands/feature.ts';
import type { KeptText } from '../../../state/shared/keptText.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import { patchsetTarget } from '../subjects/listTargets.ts';
import { toldOfGit, type ApplyParts, type CloneParts } from './applyParts.ts';
import { applyPatchset } from './applyPatchset.ts';
import { applySteps } from './applySteps.ts';
import { checkApplies } from './checkApplies.ts';
import { keptApplied } from './keptApplied.ts';
import { pushApplied } from './pushApplied.ts';
import { removeWorktrees } from './removeWorktrees.ts';
import { standingStatus, type FlagStorage } from './standing.ts';

export interface ApplyFeatureParts extends CloneParts {
	/** Per-account storage of applied patchsets, shared by all windows. */
	readonly appliedOf: (connectionKey: string) => KeptText;
	/** The window's. */
	readonly flags: FlagStorage;
}

/** Patchsets in clones on this machine. */
export function applyFeature(given: ListsParts & ApplyFeatureParts): Feature {
	const owned = new Disposables();
	const applied = keptApplied(given.connections, given.appliedOf, given.clock);
	const status = owned.add(standingStatus({ ...given, applied, storage: given.flags }));
	const parts: ApplyParts = {
		...given,
		applied,
		changed: () => status.refresh(),
		during: (work) => status.during(work),
	};
	void given.ready().then(() => status.refresh());
	const commands: CommandTable = {
		'forge.patchsets.checkApplies': async (subject, signal) =>
			checkApplies(parts, await patchsetTarget(parts, subject, signal), signal),
		'forge.patchsets.apply': async (subject, signal) =>
			applyPatchset(parts, await patchsetTarget(parts, subject, signal), signal),
		'forge.patchsets.push': (subject, signal) => pushApplied(parts, subject, signal),
		'forge.patchsets.removeWorktrees': (_, signal) => removeWorktrees(parts, signal),
		...applySteps(parts),
	};
	return {
		commands: toldOfGit(given, commands),
		dispose: () => owned.dispose(),
	};
}
