import type { Random } from '../../../../../test/support/random.ts';
import { conditions, docTopics, docTroubles, systems, terminals, versions, wishes, type Some } from '../phrases.ts';
import type { Part } from '../parts.ts';

/** Topic of a sample ticket. */
export interface Topic {
	readonly title: string;
	readonly description: string;
	readonly labels: readonly string[];
	/** File that replies mention. */
	readonly file: string;
}

export function bugTopic(random: Random, parts: Some<Part>): Topic {
	const part = random.pick(parts);
	const trouble = random.pick(part.troubles);
	const condition = random.pick(conditions);
	const name = `${part.name.slice(0, 1).toUpperCase()}${part.name.slice(1)}`;
	const labels = ['bug', part.label, ...(random.chance(12) ? ['regression'] : [])];
	return {
		title: `${name} ${trouble} ${condition}`,
		description: bugReport(random, part, trouble),
		labels,
		file: part.file,
	};
}

function bugReport(random: Random, { name, file }: Part, trouble: string): string {
	const steps = [
		`1. Open a file with a few hundred lines\n2. Use ${name} once or twice\n3. Watch what happens`,
		`- start with an empty configuration\n- do something with ${name}\n- undo it again`,
		`Just start \`lantern --clean ${file}\` and try ${name}.`,
	] as const;
	const where = `Seen with ${random.pick(versions)} on ${random.pick(systems)}, in ${random.pick(terminals)}.`;
	const extra = [
		'',
		`\n\nThe log says:\n\n\`\`\`\nlantern: ${file}:${40 + random.below(600)}: unexpected state ${random.below(9)}\nlantern: giving up on this redraw\n\`\`\``,
		`\n\n| setting | value |\n|---|---|\n| wrap | ${random.chance(50) ? 'on' : 'off'} |\n| tabsize | ${random.pick([2, 4, 8])} |`,
		`\n\nIt *worked* in ${random.pick(versions)}, I am fairly sure.`,
		'\n\n- [x] reproduced with a clean configuration\n- [ ] reproduced on another machine',
	] as const;
	return `It ${trouble}. ${where}\n\n${random.pick(steps)}${random.pick(extra)}`;
}

export function wishTopic(random: Random): Topic {
	const [title, label] = random.pick(wishes);
	const reasons = [
		'I miss this every single day since I moved here from another editor.',
		'We discussed it on the list a while ago and nobody objected.',
		'This would let me drop a plugin that breaks with every release.',
		'It does not have to be perfect, the simple case covers most of it.',
	] as const;
	const sketches = [
		'',
		'\n\nA sketch of the configuration:\n\n```toml\n[editor]\nenabled = true\nlimit = 40\n```',
		'\n\n> Make the easy thing easy.\n\nas the manual says itself.',
		'\n\nOpen points:\n\n- [ ] name of the setting\n- [ ] default\n- [ ] what to do in read-only files',
	] as const;
	const suffix = random.chance(35)
		? ` ${random.pick(['(opt-in)', 'by default', 'for splits', 'from the command line'])}`
		: '';
	return {
		title: `${title}${suffix}`,
		description: `${random.pick(reasons)}${random.pick(sketches)}`,
		labels: ['enhancement', label],
		file: 'doc/settings.md',
	};
}

/** Every pair of page and trouble appears once before the first repeats; `n` numbers a tracker's topics. */
export function docTopic(random: Random, n: number): Topic {
	const topic = docTopics[n % docTopics.length] ?? docTopics[0];
	const trouble = docTroubles[(n * 3 + Math.floor(n / docTopics.length)) % docTroubles.length] ?? docTroubles[0];
	const title = `${topic.slice(0, 1).toUpperCase()}${topic.slice(1)} ${trouble}`;
	const asks = [
		'Happy to send a patch if somebody tells me where the source lives.',
		'A sentence would do.',
		'Found while explaining it to a colleague.',
	] as const;
	const labels = ['documentation', ...(random.chance(40) ? ['good first issue'] : [])];
	return { title, description: random.pick(asks), labels, file: 'doc/manual.md' };
}

/** A comment; `n` is its index within the ticket. */
export function commentText(random: Random, topic: Topic, n: number): string {
	const line = 10 + random.below(800);
	const texts: Some<string> = [
		`I can reproduce this with ${random.pick(versions)} on ${random.pick(systems)}.`,
		`Cannot reproduce here (${random.pick(terminals)}). Which locale do you use?`,
		`The culprit is around \`${topic.file}:${line}\`: the length is computed before the line is joined.`,
		`Does it still happen with \`--clean\`?`,
		'Yes, same thing with a clean configuration.',
		`Here is what I see:\n\n\`\`\`console\n$ lantern --version\nlantern ${random.pick(versions)}\n$ TERM=xterm lantern ${topic.file}\nlantern: redraw took ${random.below(90)} ms\n\`\`\``,
		'I have a patch half done, will send it to the list this week.',
		`> ${topic.title}\n\nThis also shows in the picker, by the way.`,
		'Please keep this one about the first problem and open another ticket for the second.',
		`Bisected to \`${hex(random, 12)}\`. It only *moved* code, so the bug is probably older.`,
		'What would you expect to happen instead?',
		'Thank you, that helped. +1 from me for the smaller change.',
		`Looking at [the manual](https://lantern.example/manual#${line}), this is at least not what is promised there.`,
		'Would be good to have a test for this before anything is changed.',
		`- [x] ${topic.file}\n- [ ] the same in the diff view\n- [ ] manual`,
	];
	const openers: Some<string> = ['', '', '', 'Hm. ', 'Ah, ', 'Sorry for the delay. '];
	return `${n === 0 ? '' : random.pick(openers)}${random.pick(texts)}`;
}

/** Closing comment of a ticket. */
export function closingText(random: Random, resolution: string): string | undefined {
	const hash = hex(random, 12);
	const texts: Readonly<Record<string, string>> = {
		fixed: `Fixed in \`${hash}\`, thank you for the report.`,
		implemented: `Implemented in \`${hash}\`, will be part of the next release.`,
		wont_fix: 'This would slow down the common case for a rare one. Closing, sorry.',
		by_design: 'This is how it is meant to work; the manual now says so.',
		invalid: 'Closing, this is about another program.',
		duplicate: 'We have this one already.',
		not_our_bug: 'The terminal sends the wrong sequence; reported over there.',
	};
	return random.chance(75) ? texts[resolution] : undefined;
}

function hex(random: Random, length: number): string {
	return Array.from({ length }, () => random.below(16).toString(16)).join('');
}
