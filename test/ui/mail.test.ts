import { inRest } from '../support/parts.ts';
import type { Dialect } from '../support/sampleForge.ts';
import { mailingLists } from './mail/lists.ts';
import { patchsetPage } from './mail/patchsetPage.ts';
import { people } from './mail/people.ts';
import { reviewersBoard } from './mail/board.ts';
import { repliesOnLines } from './mail/replies.ts';
import { writtenReview } from './mail/review.ts';
import { threadPage } from './mail/threadPage.ts';
import { inOneWindow } from './support/oneWindow.ts';
import { versionsOfSeries } from './mail/versions.ts';
import { waysIn } from './support/sharedForge.ts';

for (const dialect of waysIn('document')) {
	const bodies = [
		reviewersBoard,
		mailingLists,
		patchsetPage,
		people,
		repliesOnLines,
		versionsOfSeries,
		threadPage,
		writtenReview,
	];
	inOneWindow(
		'mail',
		dialect,
		bodies.map((body) => (way: Dialect) => inRest(body(way))),
	);
}
