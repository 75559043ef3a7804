/** The process that the mock app claims to be. */
export const MOCK_PROCESS = 4_711;
