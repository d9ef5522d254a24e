"""How compiled kernels come together: each is a part, and parts become machine code once, in the entry that needs them.

Left to itself numba optimizes a function together with all that it calls, turns that into machine code, and does so
again for each of its callers: of a game of 350 kernels most of the time goes into copies that nobody calls. A part is
typed and lowered alone, and waits. An entry takes in all parts that it reaches, and is optimized as one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import llvmlite.binding as llvm
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering


class Part(JITCodeLibrary):
    """The code of one kernel, and which libraries it calls; neither optimized as a whole nor made machine code."""

    def finalize(self) -> None:
        """No more code comes. Its functions give way to equal ones, as they reach an entry by several ways."""
        self._raise_if_finalized()
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = "linkonce_odr"
        for library in self._linking_libraries:
            if hasattr(library, "_reload_init"):  # older versions of numba have none
                self._reload_init.update(library._reload_init)
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """The code of this part and of all that it reaches: for an entry, or for what numba makes by itself."""
        self._ensure_finalized()
        whole = self._final_module.clone()
        for library in callees(self):
            code = library._final_module if isinstance(library, Part) else library._get_module_for_linking()
            whole.link_in(code, preserve=True)
        return whole


def callees(part: Part) -> list[Any]:
    """All libraries that a part reaches, each after those that call it: code is taken in only where it is called."""
    found: list[Any] = []
    seen: set[int] = set()

    def follow(library: Any) -> None:
        for other in library._linking_libraries if isinstance(library, Part) else ():
            if id(other) not in seen:
                seen.add(id(other))
                follow(other)
                found.append(other)

    follow(part)
    return found[::-1]


@register_pass(mutates_CFG=True, analysis_only=False)
class PartLowering(NativeLowering):
    """Lower a kernel into a part. What stands for it among numba's functions can't be called from Python."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        """See numba's pass of the same name."""
        state.library = Part(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        stand_in: Any = [].append
        result = state["cr"]
        state.library._ensure_finalized()
        state.targetctx.insert_user_function(stand_in, result.fndesc, [state.library])
        state["cr"] = result._replace(cfunc=stand_in)
        return True


class PartCompiler(CompilerBase):
    """numba's compiler with its last step changed."""

    def define_pipelines(self) -> list[Any]:
        """All passes in their order."""
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [(PartLowering if one is NativeLowering else one, why) for one, why in pipeline.passes]
        pipeline._finalized = False
        pipeline.finalize()
        return [pipeline]


class Kernel(CPUDispatcher):
    """A function that compiled code takes in as a part. Python may call it, too: then it is compiled for that."""

    def __init__(self, function: Callable[..., Any], forced: bool) -> None:
        """`forced`: its body takes the place of each call."""
        options = {
            "nopython": True, "nogil": True, "boundscheck": None, "forceinline": forced, "no_cpython_wrapper": True,
            "no_cfunc_wrapper": True,
        }  # fmt: skip
        super().__init__(function, targetoptions=options, pipeline_class=PartCompiler)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """The version for some types; constants are typed as plain integers.

        numba would compile a kernel again for each constant that it is called with."""
        plain_kws = {name: types.unliteral(kind) for name, kind in dict(kws).items()}
        return super().get_call_template(tuple(types.unliteral(kind) for kind in args), plain_kws)

    def __call__(self, *args: Any) -> Any:
        """Call it from Python."""
        return self._alone(*args)

    @cached_property
    def _alone(self) -> Any:
        return CPUDispatcher(self.py_func, targetoptions={"nopython": True, "nogil": True, "boundscheck": None})
