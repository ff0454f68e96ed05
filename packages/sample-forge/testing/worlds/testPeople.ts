import type { PersonPlan } from '../../src/identity/users.ts';

/** The people of the tests' world. Erin has never used any area. */
export const testPeople: readonly PersonPlan[] = [
	{
		name: 'alice',
		fullName: 'Alice Öberg',
		location: 'Zürich',
		bio: 'Keeps *Lantern* alight — tea, trains and terminals 🍵',
	},
	{
		name: 'bob',
		fullName: 'Bob Builder',
		location: 'Leeds',
		bio: 'Syntax trees, splines, and the occasional **bug**.',
	},
	{
		name: 'carol',
		fullName: 'Carol Nakamura',
		location: '東京',
		bio: 'Writes the docs that nobody reads. [Try me](https://carol.example).',
	},
	{ name: 'dave', fullName: 'Dave Okafor', location: 'Lagos', bio: null },
	{ name: 'erin', fullName: 'Erin Walsh', location: null, bio: null, isNew: true },
	{ name: 'frank', fullName: 'Frank Müller', location: 'Köln', bio: 'Packager.' },
	{ name: 'grace', fullName: 'Grace Lindqvist', location: null, bio: 'Accessibility first.' },
	{ name: 'heidi', fullName: 'Heidi Șerban', location: 'Cluj', bio: null },
];
