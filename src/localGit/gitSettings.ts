/** Stronger than what any file says, where git may need a password. */
export function onMachine(devNull: string): readonly string[] {
	return [
		'core.fsmonitor=false',
		`core.hooksPath=${devNull}`,
		'core.pager=cat',
		'core.protectHFS=true',
		'core.protectNTFS=true',
		'diff.external=',
		`diff.orderFile=${devNull}`,
		'fetch.uriProtocols=',
		'gc.auto=0',
		'http.followRedirects=false',
		'i18n.logOutputEncoding=UTF-8',
		'init.templateDir=',
		'maintenance.auto=false',
		'protocol.ext.allow=never',
		'safe.bareRepository=explicit',
		'submodule.recurse=false',
		'transfer.bundleURI=false',
		'uploadpack.packObjectsHook=',
	];
}

/** Stronger than what any file says. Reading needs no password over HTTPS, and ssh has keys. */
export function everywhere(devNull: string): readonly string[] {
	return [...onMachine(devNull), 'core.askPass=', 'credential.helper='];
}

/** Besides, where the configuration is a repository's and nothing reaches the network. */
const inClones: readonly string[] = [
	'commit.gpgSign=false',
	'core.alternateRefsCommand=false',
	'core.editor=false',
	'core.gitProxy=',
	'core.sshCommand=false',
	'gpg.program=false',
	'gpg.ssh.program=false',
	'log.showSignature=false',
	'protocol.allow=never',
];

/** The settings of everything that is asked of a clone. */
export function inside(devNull: string): readonly string[] {
	return settings([...everywhere(devNull), ...inClones]);
}

/** As arguments, which come before the name of what git shall do. */
export function settings(all: readonly string[]): readonly string[] {
	return ['--no-pager', ...all.flatMap((setting) => ['-c', setting])];
}
