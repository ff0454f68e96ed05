import type { Random } from '../../../../../test/support/random.ts';
import { editorParts } from '../parts.ts';
import { conditions, systems, terminals, versions, type Some } from '../phrases.ts';
import type { AnswerPlan, ThreadPlan } from '../../../src/worlds/lists/tellMail.ts';

const askers: Some<string> = ['joerg', 'misaki', 'ivan', 'riyer', 'sam', 'visitor', 'heidi', 'frank'];
const helpers: Some<string> = ['carol', 'dave', 'bob', 'alice', 'grace', 'sam'];

/** Questions and answers on the users list, spread over the years. */
export function composeThreads(random: Random, count: number): readonly ThreadPlan[] {
	return Array.from({ length: count }, (_, at) => {
		const part = random.pick(editorParts);
		const trouble = random.pick(part.troubles);
		const who = random.pick(askers);
		const version = random.pick(versions);
		const openings: Some<string> = [
			'Hi all,',
			'Hello,',
			'Dear list,',
			'Good evening,',
			'First post here, so be patient with me.',
		];
		const tried: Some<string> = [
			'I have read the manual twice and still do not see it.',
			'A colleague has the same machine and does not have this.',
			'It went away for a day and came back after an update of something else.',
			'Starting without plugins changes nothing.',
			'My search found a thread of two years ago without an answer.',
		];
		const text = `${random.pick(openings)}\n\n${part.name} ${trouble} ${random.pick(conditions)}. This is ${version} on\n${random.pick(systems)}, in ${random.pick(terminals)}.\n\n${random.pick(tried)}\n\nIs this meant to be so?`;
		return {
			list: 'lantern-users',
			who,
			day: 20 + at * 45 + random.below(20),
			subject: `${part.name.replace(/^the /, '')}: ${trouble}`,
			text,
			answers: composeAnswers(random, who, 1 + random.below(6)),
		};
	});
}

const hints: Some<string> = [
	'Works here. Could you send the output of `lantern --version`?',
	'Try it with an empty configuration first, please:\n\n  lantern --clean somefile',
	'This is a setting, see "wrap" in doc/settings.md. The default changed a while\nago.',
	'Same here since I switched terminals. It is the terminal, I am afraid.',
	'There is a patch for this on the development list. It waits for a review.',
	'Repaired in the tree; the next release will have it.',
	'I wrote a ticket for you. Next time you can do so yourself, no account needed:\nmail to ~alice/lantern@todo.forge.test.',
	'That is how it is meant, but I agree that it surprises. Would a message in the\nstatus line have helped you?',
	'Which locale? Mine is C.UTF-8 and all is well.',
	'Not on the BSDs, for once we are the lucky ones.',
];

const thanks: Some<string> = [
	'That was it, thank you!',
	'No change, unfortunately. What else can I look at?',
	'Oh. I feel silly now. Thanks.',
	'It helps a little: now it happens only every second time.',
	'Good to know that I am not the only one.',
	'Output is below.\n\n  lantern 0.10.0 (wick 1.1)\n  built with: clipboard, mouse, plugins',
];

function composeAnswers(random: Random, asker: string, count: number): readonly AnswerPlan[] {
	return Array.from({ length: count }, (_, at): AnswerPlan => {
		const isAsker = at % 2 === 1 && random.chance(70);
		const to = isAsker || random.chance(60) ? at : random.below(at + 1);
		const who = isAsker ? asker : random.pick(helpers);
		const text = isAsker ? random.pick(thanks) : random.pick(hints);
		return { who, hours: 2 + at * 5 + random.below(5), to, text, quotes: random.chance(70) };
	});
}

const opinions: Some<string> = [
	'I would keep the old keys for one more release and warn in the status line.',
	'Nobody reads warnings. I certainly do not.',
	'Then at least a line in the release notes.',
	'What do other editors do? I only know two and they disagree.',
	'Muscle memory is not an argument, it is THE argument.',
	'Could it be a setting?',
	'Everything could be a setting. Settings are where decisions go to die.',
	'For the screen reader it does not matter which key it is, only that there is one.',
	'On a Swiss keyboard that key needs three fingers.',
	'And on a Japanese one it does not exist.',
	'Let us vote. I say no.',
	'We do not vote here. We complain until Alice decides.',
	'I wrote a small table of who uses what; it is too wide for mail, so imagine it.',
	'May I remind you that we had this in 2024? Same people, same arguments.',
	'I have changed my mind since then.',
	'So have I, but in the other direction.',
	'Can somebody sum this up for those who were on holiday?',
];

/** A long discussion with deep and wide branches. */
export function longThread(random: Random): ThreadPlan {
	const people: Some<string> = [...helpers, 'joerg', 'misaki', 'riyer', 'frank', 'heidi'];
	const answers = Array.from({ length: 44 }, (_, at): AnswerPlan => {
		const to = at < 3 || random.chance(15) ? 0 : Math.max(0, at - random.below(4));
		return { who: random.pick(people), hours: 3 + at * 4, to, text: random.pick(opinions), quotes: true };
	});
	const sum: AnswerPlan = {
		who: 'alice',
		hours: 220,
		to: 0,
		text: 'To sum up: the keys stay as they are, there will be a file with the other set, and\nwhoever starts this again buys the tea.',
	};
	return {
		list: 'lantern-devel',
		who: 'dave',
		day: 640,
		subject: 'Should the default key bindings change?',
		text: 'Half of the questions on the users list come from people who expect Ctrl-S to\nsave. Should it?\n\nI do not have an opinion. (I do, but I would like to hear yours first.)',
		answers: [...answers, sum],
	};
}
