/**
 * Hostile texts of one kind. Whatever runs calls `alert(1)`; whatever loads asks `evil.test`; whatever the editor would
 * carry out is a command that the test looks for. So one watch sees them all.
 */
export interface HostileFamily {
	readonly name: string;
	/** What these texts try, and where a program would fall for it. */
	readonly about: string;
	readonly texts: readonly string[];
}
