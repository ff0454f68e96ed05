/**
 * Hostile texts of one kind. Scripts call `alert(1)`, loads request `evil.test`, and commands are those that the test
 * detects. So one watcher catches all.
 */
export interface HostileFamily {
	readonly name: string;
	/** The attack of these texts, and a program that falls for it. */
	readonly about: string;
	readonly texts: readonly string[];
}
