import { inRest } from '../support/parts.ts';
import type { Dialect } from '../support/sampleForge.ts';
import { findInRepositories } from './repositories/find.ts';
import { repositoryJourneys } from './repositories/journeys.ts';
import { manageRepositories } from './repositories/manage.ts';
import { repositoryPages } from './repositories/pages.ts';
import { repositoryTree } from './repositories/tree.ts';
import { inOneWindow } from './support/oneWindow.ts';
import { waysIn } from './support/sharedForge.ts';

// The contract suite covers both REST dialects; the editor behaves the same for them.
for (const dialect of waysIn('field').filter((each) => each !== 'document')) {
	const bodies = [
		repositoryTree,
		...(dialect === 'field' ? [findInRepositories, manageRepositories] : []),
		repositoryPages,
		// It opens another folder.
		...(dialect === 'field' ? [repositoryJourneys] : []),
	];
	inOneWindow(
		'repositories',
		dialect,
		bodies.map((body) => (way: Dialect) => inRest(body(way))),
	);
}
