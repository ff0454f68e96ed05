import type { Feature } from '../../editor/commands/feature.ts';
import type { InboxToolName, LanguageTools } from '../../editor/models/languageTools.ts';
import type { TreeSource } from '../../editor/trees/treeSource.ts';
import { Disposables } from '../../base/lifecycle.ts';
import { doneShown } from './doneShown.ts';
import { inboxAge } from './inboxAge.ts';
import { inboxCommands } from './inboxCommands.ts';
import { inboxCounts } from './inboxCounts.ts';
import { inboxNotices } from './inboxNotices.ts';
import type { InboxParts } from './inboxParts.ts';
import { inboxTools } from './inboxTools.ts';
import { inboxTree } from './inboxTree.ts';

/** The Inbox view, its count, notices, commands and the language model tool. */
export interface InboxFeature extends Feature {
	readonly tree: TreeSource;
	readonly tools: Pick<LanguageTools, InboxToolName>;
}

/** Composes what belongs to the inbox. */
export function inboxFeature(parts: InboxParts): InboxFeature {
	const owned = new Disposables();
	const done = owned.add(doneShown(parts));
	const age = owned.add(inboxAge(parts));
	const tree = owned.add(inboxTree({ ...parts, doneShown: done, note: age.note }));
	owned.add(inboxCounts({ ...parts, age }));
	owned.add(inboxNotices(parts));
	return {
		tree,
		tools: inboxTools(parts),
		commands: inboxCommands({ ...parts, doneShown: done, age }),
		dispose: () => owned.dispose(),
	};
}
