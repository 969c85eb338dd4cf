/**
 * A form is sent once, however fast its button is clicked: where the first click was already
 * answered, the second one of a double click would write the same once more.
 */
export function sendOnce(): void {
  const onClick = (event: MouseEvent) => {
    const isSecond = event.detail > 1;
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (isSecond && button?.type === "submit") event.preventDefault();
  };
  document.addEventListener("click", onClick, true);
}
