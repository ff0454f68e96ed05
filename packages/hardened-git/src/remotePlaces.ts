import { isAbort } from '@forge-desk/base/abort.ts';
import { findProgram, programEnvironment, runProgram } from './runProgram.ts';
import { gitCommands } from './gitCommands.ts';
import { programPlaces, runText, type GitOnMachine } from './hardenedGit.ts';

const limits = { timeMs: 10_000, outputBytes: 200_000 } as const;
/** Limit of look-ups; real clones have fewer remotes. */
const mostHosts = 20;

/**
 * Addresses of a clone's remotes by name, after `insteadOf` and with ssh aliases resolved. Only for matching forges;
 * git gets the written address. Empty if git fails.
 */
export async function remotePlaces(
	parts: GitOnMachine,
	root: string,
	signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly string[]>> {
	const text = await orEmpty(async () => {
		const remotes = await runText(parts.git, root, gitCommands.remotes(), signal);
		return remotes.code === 0 ? remotes.text : '';
	});
	const rows = Array.from(text.matchAll(remoteLine), ([, name = '', address = '']) => ({
		name,
		address,
		ssh: scpLike.exec(address)?.groups ?? sshUrl.exec(address)?.groups,
	}));
	const aliases = new Set(rows.flatMap(({ ssh }) => ssh?.['host'] ?? []));
	const asked = Array.from(aliases).slice(0, mostHosts);
	const hosts = new Map(
		await Promise.all(asked.map(async (alias) => [alias, await hostOf(parts, alias, signal)] as const)),
	);
	const places = new Map<string, readonly string[]>();
	for (const { name, address, ssh } of rows) {
		const host = hosts.get(ssh?.['host'] ?? '');
		const bySsh = ssh && host !== undefined ? [`${ssh['before']}${host}${ssh['after']}`] : [];
		places.set(name, [...(places.get(name) ?? []), address, ...bySsh]);
	}
	return places;
}

const remoteLine = /^([^\t\n]+)\t(.{1,2048}) \((?:fetch|push)\)/gm;
/** A host never begins with a hyphen, so ssh cannot take it for an option. */
const scpLike = /^(?<before>(?:[\w.-]+@)?)(?<host>\w[\w.-]{0,252})(?<after>:(?!\/\/).+)$/;
const sshUrl =
	/^(?<before>(?:ssh|git\+ssh|ssh\+git):\/\/(?:[\w.-]+@)?)(?<host>\w[\w.-]{0,252})(?<after>(?::\d+)?\/.+)$/;

/** Host name of an ssh alias. Does not connect. */
async function hostOf(
	{ machine, tempFolder }: GitOnMachine,
	alias: string,
	signal: AbortSignal,
): Promise<string | undefined> {
	const told = await orEmpty(async () => {
		const path = await findProgram('ssh', programPlaces(machine), undefined);
		if (path === undefined || !machine.isTrusted()) {
			return '';
		}
		const environment = programEnvironment(machine.environment, []);
		const run = { name: 'ssh', path, args: ['-G', '--', alias], folder: tempFolder, environment, ...limits } as const;
		const { code, output } = await runProgram(run, signal);
		return code === 0 ? output.toString('utf8') : '';
	});
	return /^hostname (\w[\w.-]{0,252})$/m.exec(told)?.[1]?.toLowerCase();
}

async function orEmpty(work: () => Promise<string>): Promise<string> {
	try {
		return await work();
	} catch (error) {
		if (isAbort(error)) {
			throw error;
		}
		return '';
	}
}
