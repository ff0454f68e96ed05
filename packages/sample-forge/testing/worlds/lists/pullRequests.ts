import type { Context } from '../../../src/shared/area.ts';
import type { ThreadPlan } from '../../../src/worlds/lists/tellMail.ts';

/** Pull request mails in the form of `git request-pull`, with addresses and commits of this forge. */
export function pullRequests({ git, todo }: Pick<Context['origins'], 'git' | 'todo'>): readonly ThreadPlan[] {
	return [
		{
			list: 'lantern-devel',
			who: 'carol',
			day: 986.2,
			subject: '[GIT PULL] The manual in chapters',
			text: `Hello Alice,\n\nthe chapters are ready to move over. This is too much for patches, so please pull.\nIt is what ${todo}/~alice/lantern/121 asked for.\n\nThe following changes since commit 9bb2885f2d6605564c01d7a00f496f01188e0892:\n\n  themes: guard against the case where the chapter on themes has a dead link (2025-12-15 20:22:13 +0100)\n\nare available in the Git repository at:\n\n  ${git}/~carol/lantern-docs master\n\nfor you to fetch changes up to 8cc77d4da2ed5aae8f835358b443536ac2bdefce:\n\n  Fix: the chapter on themes skips a step (2025-12-31 11:45:09 +0100)\n\n----------------------------------------------------------------\nAlice Öberg (1):\n      Fix: the chapter on themes skips a step\n\nDave Okafor (1):\n      keys: guard against the case where the chapter on keys skips a step\n\n chapters/keys.md   | 4 +++-\n chapters/themes.md | 6 ------\n 2 files changed, 3 insertions(+), 7 deletions(-)`,
			answers: [
				{
					who: 'alice',
					hours: 9,
					to: 0,
					text: 'I would rather keep two repositories and a link. But I will look at it tonight.',
					quotes: true,
				},
			],
		},
	];
}
